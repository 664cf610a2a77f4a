package io.knabla.controller.knative.preflight;

import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.knative.settings.Features;
import io.knabla.controller.knative.settings.Limits;
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

    public boolean isInstalled() {
        return !settings.isEmpty();
    }

    public Features features() {
        return Features.of(data(Feature.CONFIG_MAP));
    }

    public Limits limits() {
        return Limits.of(data(Limits.DEFAULTS), data(Limits.AUTOSCALER));
    }

    Map<String, String> data(String configMap) {
        return settings.getOrDefault(configMap, Map.of());
    }
}
