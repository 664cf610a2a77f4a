package io.knabla.controller.knative.signal;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Knabla's taint {@code knabla.dev/interruption:NoSchedule} of a node that is taken back or lost. A controller that
 * starts later goes on from its value, {@code KIND.CAUSE.SINCE.UNTIL}, with times in milliseconds of the epoch.
 *
 * @param until when the node is taken back, when a recommendation lapses, or when a lost node may return
 */
public record InterruptionTaint(Kind kind, Cause cause, Instant since, Instant until) {
    public static final String KEY = Labels.GROUP + "/interruption";

    private static final Pattern VALUE = Pattern.compile("([A-Z_]+)\\.([A-Z_]+)\\.(\\d{1,15})\\.(\\d{1,15})");

    /** How the controller learned of the interruption. */
    public enum Cause {
        /** Another tool tainted the node. */
        TAINTED,
        /** The provider's queue announced it. */
        ANNOUNCED,
        /** An administrator cordoned the node, to drain it perhaps. */
        CORDONED,
        /** The replicas on the node accept no connection. */
        UNREACHABLE
    }

    public InterruptionTaint {
        since = since.truncatedTo(ChronoUnit.MILLIS);
        until = until.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Empty if the node has no such taint, or one whose value this controller cannot read. */
    public static Optional<InterruptionTaint> of(Node node) {
        return NodeTaints.taints(node).stream()
                .filter(taint -> KEY.equals(taint.getKey()))
                .flatMap(taint -> parse(taint.getValue()).stream())
                .findFirst();
    }

    private static Optional<InterruptionTaint> parse(String value) {
        Matcher parts = VALUE.matcher(value == null ? "" : value);
        if (!parts.matches()) {
            return Optional.empty();
        }
        Optional<Cause> cause = named(Cause.values(), parts.group(2));
        return named(Kind.values(), parts.group(1))
                .flatMap(kind -> cause.map(
                        known -> new InterruptionTaint(kind, known, time(parts.group(3)), time(parts.group(4)))));
    }

    private static <T extends Enum<T>> Optional<T> named(T[] values, String name) {
        return Stream.of(values).filter(value -> value.name().equals(name)).findFirst();
    }

    private static Instant time(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }

    public Taint taint() {
        return new TaintBuilder()
                .withKey(KEY)
                .withValue("%s.%s.%d.%d".formatted(kind, cause, since.toEpochMilli(), until.toEpochMilli()))
                .withEffect("NoSchedule")
                .build();
    }
}
