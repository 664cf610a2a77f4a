package io.knabla.controller.home;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads {@code config.yaml} into settings and reports unknown keys.
 *
 * @param settings by name, such as {@code knabla.nodes[0].name}
 */
public record ConfigFile(Map<String, String> settings, List<String> faults) {
    /** Prefix of every setting name. */
    public static final String PREFIX = "knabla.";

    private static final Set<String> KEYS = Set.of(
            "store", "s3", "catalog", "host", "port", "token", "java", "nodes", "replica", "check", "upload", "gc",
            "cluster");

    /** Keys of the command line, which the platform ignores. */
    private static final Set<String> FOREIGN = Set.of("server", "context", "ingress", "image_base");

    private static final Set<String> S3_KEYS = Set.of(
            "endpoint",
            "addressing",
            "ca",
            "encryption",
            "region",
            "connectTimeout",
            "requestTimeout",
            "callTimeout",
            "attempts");

    private static final Set<String> CLUSTER_KEYS = Set.of(
            "kind", "namespaces", "image", "gpuImage", "priorityClass", "checkAccount", "serviceAccountAnnotations");

    private static final Set<String> NODE_KEYS = Set.of("name", "pool", "capacity", "instanceType", "zone", "slots");

    public static ConfigFile read(Path file) {
        if (!Files.exists(file)) {
            return new ConfigFile(Map.of(), List.of());
        }
        try {
            return of(new YAMLMapper().readTree(Files.readString(file)), file);
        } catch (JsonProcessingException notYaml) {
            return broken(file, "it is not YAML: " + notYaml.getOriginalMessage());
        } catch (IOException unreadable) {
            return broken(file, "cannot be read: " + unreadable);
        }
    }

    private static ConfigFile of(JsonNode tree, Path file) {
        List<String> faults = new ArrayList<>();
        Map<String, String> settings = new TreeMap<>();
        if (!tree.isObject() && !tree.isMissingNode() && !tree.isNull()) {
            return broken(file, "it must hold keys and values, such as 'port: 8080'");
        }
        unknown(tree, all(), "", file, faults);
        unknown(tree.path("s3"), S3_KEYS, "s3.", file, faults);
        unknown(tree.path("cluster"), CLUSTER_KEYS, "cluster.", file, faults);
        unknown(tree.path("catalog"), Set.of("refresh"), "catalog.", file, faults);
        for (int i = 0; i < tree.path("nodes").size(); i++) {
            unknown(tree.path("nodes").get(i), NODE_KEYS, "nodes[" + i + "].", file, faults);
        }
        flatten(tree, "knabla", settings);
        FOREIGN.forEach(key -> settings.remove(PREFIX + key));
        return new ConfigFile(settings, faults);
    }

    private static Set<String> all() {
        Set<String> all = new TreeSet<>(KEYS);
        all.addAll(FOREIGN);
        return all;
    }

    private static void unknown(JsonNode node, Set<String> known, String at, Path file, List<String> faults) {
        node.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                faults.add("%s: unknown key '%s%s'; known are %s"
                        .formatted(
                                file,
                                at,
                                key,
                                String.join(", ", known.stream().sorted().toList())));
            }
        });
    }

    private static void flatten(JsonNode node, String name, Map<String, String> settings) {
        if (node.isObject()) {
            node.properties().forEach(e -> flatten(e.getValue(), name + "." + kebab(e.getKey()), settings));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                flatten(node.get(i), name + "[" + i + "]", settings);
            }
        } else if (!node.isNull() && !node.isMissingNode()) {
            settings.put(name, node.asText());
        }
    }

    /** Converts {@code instanceType} to the setting name {@code instance-type}. */
    private static String kebab(String key) {
        return key.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    private static ConfigFile broken(Path file, String why) {
        return new ConfigFile(Map.of(), List.of("%s: %s".formatted(file, why)));
    }
}
