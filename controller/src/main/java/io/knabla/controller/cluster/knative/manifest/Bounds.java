package io.knabla.controller.cluster.knative.manifest;

import io.knabla.functions.spec.FunctionSpec;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far a Revision scales, as annotations that Knative copies to its PodAutoscaler whenever they change; no pod
 * restarts for them.
 */
public record Bounds(Map<String, String> annotations) {
    static final String PREFIX = "autoscaling.knative.dev/";

    /** Knative's own bounds of a window, and the longest that it keeps a last pod. */
    private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(6);

    private static final Duration DEFAULT_WINDOW = Duration.ofSeconds(60);
    private static final Duration LONGEST_RETENTION = Duration.ofHours(1);

    public Bounds {
        annotations = Map.copyOf(annotations);
    }

    /**
     * @param share of this slot
     * @param alone whether this slot takes all of the version's requests now, because no other can; then the whole of
     *     {@code spec.scaling} is its own
     */
    static Bounds of(FunctionSpec spec, SlotPlan.Share share, boolean alone) {
        FunctionSpec.Scaling scaling = spec.scaling();
        int min = alone ? Math.max(share.min(), scaling.min()) : share.min();
        int max = alone ? scaling.max() : share.max();
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(PREFIX + "min-scale", Integer.toString(min));
        annotations.put(PREFIX + "max-scale", Integer.toString(max));
        // One pod shows that the version runs, before any request reaches it.
        annotations.put(PREFIX + "initial-scale", Integer.toString(Math.max(1, min)));
        annotations.put(PREFIX + "target-utilization-percentage", percent(scaling));
        // The last pod goes when the window and then the retention period have gone by.
        Duration window = clamp(scaling.idleAfter(), SHORTEST_WINDOW, DEFAULT_WINDOW);
        Duration retention = clamp(scaling.idleAfter().minus(window), Duration.ZERO, LONGEST_RETENTION);
        annotations.put(PREFIX + "window", text(window));
        annotations.put(PREFIX + "scale-to-zero-pod-retention-period", text(retention));
        return new Bounds(annotations);
    }

    /** What has to change on a Revision that has these annotations; empty when nothing has to. */
    Map<String, String> differing(Map<String, String> present) {
        Map<String, String> differing = new TreeMap<>(annotations);
        differing.entrySet().removeAll(present.entrySet());
        return differing;
    }

    /** Three digits are enough, and what Knative takes begins at one. */
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

    /** Knative takes whole seconds. */
    private static String text(Duration duration) {
        return duration.toSeconds() + "s";
    }
}
