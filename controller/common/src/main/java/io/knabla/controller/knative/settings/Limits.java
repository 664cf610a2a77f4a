package io.knabla.controller.knative.settings;

import java.util.Map;

/**
 * Upper limits from Knative's settings.
 *
 * @param timeoutSeconds longest timeout of a request
 * @param concurrency most concurrent requests of a replica
 * @param maxScale most replicas of a revision; 0 = no limit
 */
public record Limits(long timeoutSeconds, long concurrency, long maxScale) {
    public static final String DEFAULTS = "config-defaults";
    public static final String AUTOSCALER = "config-autoscaler";
    public static final String TIMEOUT_KEY = "max-revision-timeout-seconds";
    public static final String CONCURRENCY_KEY = "container-concurrency-max-limit";
    public static final String MAX_SCALE_KEY = "max-scale-limit";

    /** Defaults of Knative 1.22 for keys that its ConfigMaps do not set. */
    public static final Limits DEFAULT = new Limits(600, 1000, 0);

    /**
     * @param defaults data of ConfigMap {@code config-defaults}
     * @param autoscaler data of ConfigMap {@code config-autoscaler}
     */
    public static Limits of(Map<String, String> defaults, Map<String, String> autoscaler) {
        return new Limits(
                number(defaults, TIMEOUT_KEY, DEFAULT.timeoutSeconds),
                number(defaults, CONCURRENCY_KEY, DEFAULT.concurrency),
                number(autoscaler, MAX_SCALE_KEY, DEFAULT.maxScale));
    }

    private static long number(Map<String, String> data, String key, long fallback) {
        String text = data.getOrDefault(key, "").strip();
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : fallback;
    }
}
