package io.knabla.controller.home;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.knabla.storage.settings.SettingNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Parses {@code config.yaml}.
 *
 * @param values by path as written, such as {@code nodes[0].instanceType}; those of empty keys are empty
 * @param fault why nothing of the file can be used; empty for a good or absent file
 */
public record ConfigFile(Path path, Map<String, String> values, Optional<String> fault) {

    public static ConfigFile read(Path file) {
        if (!Files.exists(file)) {
            return new ConfigFile(file, Map.of(), Optional.empty());
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
        if (!tree.isObject() && !tree.isMissingNode() && !tree.isNull()) {
            return broken(file, "it must hold keys and values, such as 'port: 8080'");
        }
        Map<String, String> values = new TreeMap<>();
        tree.properties().forEach(e -> flatten(e.getValue(), e.getKey(), values));
        return new ConfigFile(file, values, Optional.empty());
    }

    private static void flatten(JsonNode node, String path, Map<String, String> values) {
        if (node.isEmpty()) {
            values.put(path, node.isNull() ? "" : node.asText());
        }
        node.properties().forEach(e -> flatten(e.getValue(), path + "." + e.getKey(), values));
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                flatten(node.get(i), path + "[" + i + "]", values);
            }
        }
    }

    private static ConfigFile broken(Path file, String why) {
        return new ConfigFile(file, Map.of(), Optional.of("%s: %s".formatted(file, why)));
    }

    /** Values below a path, such as those of {@code nodes[0]}, by the rest of their paths. */
    public Map<String, String> below(String path) {
        Map<String, String> below = new TreeMap<>();
        values.forEach((key, value) -> {
            if (key.equals(path) || key.startsWith(path + ".")) {
                below.put(key.substring(Math.min(key.length(), path.length() + 1)), value);
            }
        });
        return below;
    }

    /** Values by the variable that overrides them. */
    public Map<String, String> byVariable() {
        Map<String, String> settings = new TreeMap<>();
        values.forEach((path, value) -> settings.put(SettingNames.variable(SettingNames.key(path)), value));
        return settings;
    }
}
