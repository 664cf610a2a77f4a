package io.knabla.controller.cluster.knative.manifest;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which parts of a pod Knative lets through. */
public record Features(Set<Feature> enabled) {
    public Features {
        enabled = Set.copyOf(enabled);
    }

    /** @param data of ConfigMap {@code config-features}; Knative takes a value in either case */
    public static Features of(Map<String, String> data) {
        return new Features(Stream.of(Feature.values())
                .filter(feature -> isOn(feature, data))
                .collect(Collectors.toSet()));
    }

    public boolean has(Feature feature) {
        return enabled.contains(feature);
    }

    /** What Knative cannot read it takes for nothing said; {@code allowed} lets most fields through. */
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
