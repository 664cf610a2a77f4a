package io.knabla.controller.cluster.knative.preflight;

import io.knabla.controller.cluster.knative.manifest.Feature;
import io.knabla.controller.cluster.knative.manifest.Features;
import io.knabla.controller.cluster.knative.manifest.Limits;
import java.util.List;
import java.util.Map;

/**
 * Release and settings of an installed Knative Serving, from its ConfigMaps.
 *
 * @param version release label, such as {@code 1.22.0}; "" if there is none
 * @param settings data by name of the ConfigMap; empty if Knative is not installed
 */
public record Installation(String version, Map<String, Map<String, String>> settings) {
    /** ConfigMaps with the settings that Knabla depends on. */
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
