package io.knabla.controller.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.storage.settings.SettingNames;
import io.smallrye.config.WithDefault;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Describes every key of {@code config.yaml}, from {@link Settings}: for {@code ./knabla explain config} as a schema
 * like that of function.yaml, with the variable and the default of each value, and as a page.
 */
final class ConfigReference {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Of keys that other classes read. */
    private static final Map<String, String> S3 = Map.of(
            "endpoint", "URL of the server; without it Amazon S3.",
            "addressing", "path, virtual, or auto: path where an endpoint is given.",
            "ca", "File with certificates that are trusted in addition to those of the JVM.",
            "encryption",
                    "Of every object that is written: none (the bucket's default), AES256, aws:kms or aws:kms:KEY.",
            "region", "Region of the bucket.",
            "connectTimeout", "Longest time until a connection is open.",
            "requestTimeout", "Longest time of one attempt.",
            "callTimeout", "Longest time of a call with all its attempts.",
            "attempts", "Attempts of a call, the first one included.");

    private static final Map<String, String> COMMAND_LINE = Map.of(
            "server", "Command line only: address of the platform; default http://127.0.0.1:8080.",
            "context", "Command line only: context of the kubeconfig, to work with a cluster instead of a server.",
            "ingress", "Command line only: address of Knative's ingress, where its host names resolve nowhere.",
            "image_base", "Command line only: base image that ./knabla images builds on.");

    private static final Map<String, String> LISTS = Map.of(
            "prices", "Your own prices, which have precedence over the bundled ones; see docs/costs.md.",
            "budgets", "Limits of cost by namespace or function; see docs/costs.md.",
            "tokenPrices",
                    "List prices of APIs that bill tokens, to compare functions of type Generation with; see docs/costs.md.");

    private ConfigReference() {}

    /** The schema of the file. */
    static ObjectNode schema() {
        ObjectNode root = section(Settings.class, "");
        root.put(
                "description",
                "Keys of config.yaml in the home folder; a flag of up beats a variable, which beats the file.");
        ObjectNode keys = (ObjectNode) root.get("properties");
        keys.set("s3", values("How to reach S3.", "s3.", S3));
        ConfigKeys.NOT_IN_THE_FILE.forEach(keys::remove);
        COMMAND_LINE.forEach((name, text) -> keys.set(name, value("text", name, text)));
        LISTS.forEach((name, text) -> keys.set(name, described("list", text)));
        root.set("properties", sorted(keys));
        return root;
    }

    private static ObjectNode sorted(ObjectNode keys) {
        Map<String, JsonNode> byName = new TreeMap<>();
        keys.properties().forEach(key -> byName.put(key.getKey(), key.getValue()));
        return JSON.objectNode().setAll(byName);
    }

    private static ObjectNode values(String description, String path, Map<String, String> texts) {
        ObjectNode keys = JSON.objectNode();
        new TreeMap<>(texts).forEach((name, text) -> keys.set(name, value("text", path + name, text)));
        return described("object", description).set("properties", keys);
    }

    private static ObjectNode described(String type, String description) {
        return JSON.objectNode().put("type", type).put("description", description);
    }

    private static ObjectNode value(String type, String path, String description) {
        return described(type, description).put("variable", SettingNames.variable(SettingNames.key(path)));
    }

    private static ObjectNode section(Class<?> mapping, String path) {
        Map<String, JsonNode> keys = new TreeMap<>();
        for (Method setting : mapping.getDeclaredMethods()) {
            if (!setting.isSynthetic()) {
                keys.put(setting.getName(), setting(setting, path + setting.getName()));
            }
        }
        ObjectNode section = described("object", description(mapping.getAnnotation(Description.class)));
        return section.set("properties", JSON.objectNode().setAll(keys));
    }

    private static ObjectNode setting(Method setting, String path) {
        Type type = setting.getGenericReturnType();
        if (ConfigKeys.isSection(type)) {
            return section((Class<?>) type, path + ".");
        }
        String description = description(setting.getAnnotation(Description.class));
        if (type instanceof ParameterizedType list && ConfigKeys.isSection(list.getActualTypeArguments()[0])) {
            return described("list", description).set("items", entries((Class<?>) list.getActualTypeArguments()[0]));
        }
        String name = Optional.ofNullable(setting.getAnnotation(Bounds.class))
                .map(bounds -> "whole number from %d to %d".formatted(bounds.from(), bounds.to()))
                .orElseGet(() -> name(type));
        ObjectNode value = value(name, path, description);
        Optional.ofNullable(setting.getAnnotation(WithDefault.class))
                .ifPresent(given -> value.put("default", given.value()));
        return value;
    }

    /** Keys of a list's entries have no variables of their own. */
    private static ObjectNode entries(Class<?> mapping) {
        ObjectNode entries = section(mapping, "");
        entries.get("properties").forEach(key -> ((ObjectNode) key).remove("variable"));
        return entries;
    }

    private static String description(Description given) {
        return given == null ? "" : given.value();
    }

    private static String name(Type type) {
        return switch (type) {
            case ParameterizedType of
            when of.getRawType() == List.class -> "list of " + name(of.getActualTypeArguments()[0]);
            case ParameterizedType of when of.getRawType() == Optional.class -> name(of.getActualTypeArguments()[0]);
            case ParameterizedType _ -> "object";
            case Class<?> one -> name(one);
            default -> throw new IllegalStateException(type.toString());
        };
    }

    private static String name(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants()).map(Object::toString).collect(Collectors.joining(" or "));
        }
        if (Set.of(int.class, long.class, OptionalInt.class).contains(type)) {
            throw new IllegalStateException("a whole number needs @Bounds");
        }
        Map<Class<?>, String> names = Map.of(
                boolean.class, "true or false",
                Duration.class, "duration",
                Path.class, "path",
                Settings.MemorySize.class, "size");
        return names.getOrDefault(type, "text");
    }

    /** The page docs/config.md. */
    static String page(String command) {
        var page =
                new StringBuilder("<!-- Made from controller/config/Settings; do not edit. To write it again: %s -->\n"
                        .formatted(command));
        page.append(
                "# config.yaml\n\nKeys of `~/.knabla/config.yaml`. Each has a variable too; a flag of `up` beats the"
                        + " variable, which beats the file. `./knabla explain config` shows the same in a terminal.\n");
        ObjectNode keys = (ObjectNode) schema().get("properties");
        page.append('\n');
        keys.properties().stream()
                .filter(key -> below(key.getValue()).isEmpty())
                .forEach(key -> page.append(line(key.getKey(), key.getValue())));
        keys.properties().forEach(key -> section(key.getKey(), key.getValue(), page));
        return page.toString();
    }

    private static void section(String path, JsonNode node, StringBuilder page) {
        ObjectNode below = below(node);
        if (below.isEmpty()) {
            return;
        }
        page.append("\n## %s\n\n%s\n\n".formatted(path, node.get("description").asText()));
        below.properties().stream()
                .filter(key -> below(key.getValue()).isEmpty())
                .forEach(key -> page.append(line(key.getKey(), key.getValue())));
        below.properties().forEach(key -> section(path + "." + key.getKey(), key.getValue(), page));
    }

    private static ObjectNode below(JsonNode node) {
        JsonNode block = node.path("items").has("properties") ? node.get("items") : node;
        return block.get("properties") instanceof ObjectNode keys ? keys : JSON.objectNode();
    }

    private static String line(String name, JsonNode value) {
        String variable =
                value.has("variable") ? ", `%s`".formatted(value.get("variable").asText()) : "";
        String given = value.has("default")
                ? ", default `%s`".formatted(value.get("default").asText())
                : "";
        return "- **`%s`** (%s%s%s): %s\n"
                .formatted(
                        name,
                        value.get("type").asText(),
                        given,
                        variable,
                        value.get("description").asText());
    }
}
