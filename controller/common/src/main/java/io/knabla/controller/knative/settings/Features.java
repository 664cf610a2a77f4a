package io.knabla.controller.knative.settings;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pod fields that Knative's settings enable. */
public record Features(Set<Feature> enabled) {
    public Features {
        enabled = Set.copyOf(enabled);
    }

    /** @param data of ConfigMap {@code config-features}; Knative ignores the case of values */
    public static Features of(Map<String, String> data) {
        return new Features(Stream.of(Feature.values())
                .filter(feature -> isOn(feature, data))
                .collect(Collectors.toSet()));
    }

    public boolean has(Feature feature) {
        return enabled.contains(feature);
    }

    /** Knative treats an unknown value as unset; {@code allowed} accepts most fields. */
    private static boolean isOn(Feature feature, Map<String, String> data) {
        String value = data.getOrDefault(feature.key(), "").toLowerCase(Locale.ROOT);
        return switch (value) {
            case "enabled" -> true;
            case "allowed" -> feature != Feature.EmptyDir;
            case "disabled" -> false;
            default -> feature.isDefault();
        };
    }
}
