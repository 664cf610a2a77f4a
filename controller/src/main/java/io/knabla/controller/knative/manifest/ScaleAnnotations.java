package io.knabla.controller.knative.manifest;

import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.WarmPolicy;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Autoscaling annotations of a Revision: scale bounds, target utilisation and idle time. Knative copies changes to the
 * PodAutoscaler without restarting pods.
 */
public record ScaleAnnotations(Map<String, String> annotations) {
    static final String PREFIX = "autoscaling.knative.dev/";

    private static final String INITIAL = PREFIX + "initial-scale";

    /** Shortest stable window that Knative accepts. */
    private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(6);

    private static final Duration DEFAULT_WINDOW = Duration.ofSeconds(60);

    /** Longest time that Knative keeps the last pod. */
    private static final Duration LONGEST_RETENTION = Duration.ofHours(1);

    /**
     * How late keep-warm may decide about a replica that served: it reports its requests every 10 s, decisions are made
     * every 5 s, and Knative follows within 12 s.
     */
    private static final Duration DECISION = Duration.ofSeconds(30);

    public ScaleAnnotations {
        annotations = Map.copyOf(annotations);
    }

    /**
     * @param share of the version that this slot runs
     * @param alone whether only this slot takes the version's requests now; then all of {@code spec.scaling} applies to
     *     it
     */
    static ScaleAnnotations of(FunctionSpec spec, PlacementPlan.Share share, boolean alone) {
        FunctionSpec.Scaling scaling = spec.scaling();
        int min = alone ? Math.max(share.min(), scaling.min()) : share.min();
        int max = alone ? scaling.max() : share.max();
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(PREFIX + "min-scale", Integer.toString(min));
        annotations.put(PREFIX + "max-scale", Integer.toString(max));
        // One pod proves that the version runs before it gets any request.
        annotations.put(INITIAL, Integer.toString(Math.max(1, min)));
        annotations.put(PREFIX + "target-utilization-percentage", percent(scaling));
        // Knative removes the last pod after the window plus the retention period.
        Duration window = clamp(spec.idleAfter(), SHORTEST_WINDOW, DEFAULT_WINDOW);
        Duration retention = clamp(idleTime(spec).minus(window), Duration.ZERO, LONGEST_RETENTION);
        annotations.put(PREFIX + "window", text(window));
        annotations.put(PREFIX + "scale-to-zero-pod-retention-period", text(retention));
        return new ScaleAnnotations(annotations);
    }

    /** Until there is a decision, the last pod stays: what Knative removed, no decision can keep. */
    private static Duration idleTime(FunctionSpec spec) {
        boolean decided = spec.keepWarm().policy() == WarmPolicy.Adaptive
                && spec.keepWarm().coldStartCost() > 0;
        return decided && spec.idleAfter().compareTo(DECISION) < 0 ? DECISION : spec.idleAfter();
    }

    /**
     * Returns the annotations that differ from those present on a Revision. Not the initial scale: a Revision that has
     * not reached it is not ready, so it gets no requests, so Knative ignores its bounds, and it would never reach a
     * higher one.
     */
    Map<String, String> differingFrom(Map<String, String> present) {
        Map<String, String> differing = new TreeMap<>(annotations);
        differing.remove(INITIAL);
        differing.entrySet().removeAll(present.entrySet());
        return differing;
    }

    /** Three significant digits; Knative accepts values from 1. */
    private static String percent(FunctionSpec.Scaling scaling) {
        double percent = Math.clamp(100 * scaling.targetUtilization(), 1, 100);
        return BigDecimal.valueOf(percent)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }

    private static Duration clamp(Duration value, Duration least, Duration most) {
        Duration bounded = value.compareTo(least) < 0 ? least : value;
        return bounded.compareTo(most) > 0 ? most : bounded;
    }

    /** Knative accepts whole seconds only. */
    private static String text(Duration duration) {
        return duration.toSeconds() + "s";
    }
}
