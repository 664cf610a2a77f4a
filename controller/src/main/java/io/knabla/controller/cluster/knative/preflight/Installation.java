package io.knabla.controller.cluster.knative.preflight;

import io.knabla.controller.cluster.knative.manifest.Feature;
import io.knabla.controller.cluster.knative.manifest.Features;
import io.knabla.controller.cluster.knative.manifest.Limits;
import java.util.List;
import java.util.Map;

/**
 * Knative Serving as its ConfigMaps show it.
 *
 * @param version as its release wrote it; "" where it says none
 * @param settings data by ConfigMap; empty where Knative is not installed
 */
public record Installation(String version, Map<String, Map<String, String>> settings) {
    /** Those that decide what Knabla may ask for. */
    static final List<String> CONFIG_MAPS = List.of(Feature.CONFIG_MAP, Limits.DEFAULTS, Limits.AUTOSCALER);

    public Installation {
        settings = Map.copyOf(settings);
    }

    public boolean isThere() {
        return !settings.isEmpty();
    }

    public Features features() {
        return Features.of(of(Feature.CONFIG_MAP));
    }

    public Limits limits() {
        return Limits.of(of(Limits.DEFAULTS), of(Limits.AUTOSCALER));
    }

    Map<String, String> of(String configMap) {
        return settings.getOrDefault(configMap, Map.of());
    }
}
