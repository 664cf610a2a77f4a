package io.knabla.functions.decoder.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.StreamSupport;

/** Reads one JSON object of a file key by key; each wrong value becomes a fault and a value to go on with. */
public final class ConfigObject {
    /** Above all models that there are; products of two sizes fit a {@code long}. */
    static final int MAX_SIZE = 1 << 24;

    private final JsonNode object;
    private final String path;
    private final List<Fault> faults;

    /** @param path of the object, which begins the places of faults: a file's name and {@code ": "}, or a key */
    public ConfigObject(JsonNode object, String path, List<Fault> faults) {
        this.object = object;
        this.path = path;
        this.faults = faults;
    }

    boolean has(String key) {
        return !value(key).isMissingNode();
    }

    /** Whether the key is there with null, which all other methods take for absent. */
    boolean isNull(String key) {
        return object.path(key).isNull();
    }

    /** An object within; an empty one if it is absent. */
    ConfigObject object(String key) {
        JsonNode value = value(key);
        if (!value.isObject() && !value.isMissingNode()) {
            fault(key, "is %s; write an object", shown(value));
        }
        return new ConfigObject(value, at(key), faults);
    }

    /** A whole number of 1 to {@value #MAX_SIZE}. */
    public int size(String key) {
        if (!has(key)) {
            fault(key, "missing; write a whole number of 1 to %d", MAX_SIZE);
            return 1;
        }
        return size(key, 1);
    }

    /** @param fallback for a key that is absent, or has a wrong value */
    int size(String key, int fallback) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return fallback;
        }
        if (value.isIntegralNumber()
                && value.canConvertToInt()
                && value.intValue() >= 1
                && value.intValue() <= MAX_SIZE) {
            return value.intValue();
        }
        fault(key, "is %s; write a whole number of 1 to %d", shown(value), MAX_SIZE);
        return fallback;
    }

    /** A finite number above zero. */
    double positive(String key, double fallback) {
        return positive(key).orElse(fallback);
    }

    OptionalDouble positive(String key) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return OptionalDouble.empty();
        }
        if (value.isNumber() && value.doubleValue() > 0 && Double.isFinite(value.doubleValue())) {
            return OptionalDouble.of(value.doubleValue());
        }
        fault(key, "is %s; write a number above 0", shown(value));
        return OptionalDouble.empty();
    }

    public boolean flag(String key, boolean fallback) {
        JsonNode value = value(key);
        if (!value.isBoolean() && !value.isMissingNode()) {
            fault(key, "is %s; write true or false", shown(value));
        }
        return value.asBoolean(fallback);
    }

    public String text(String key, String fallback) {
        JsonNode value = value(key);
        if (!value.isTextual() && !value.isMissingNode()) {
            fault(key, "is %s; write a text", shown(value));
        }
        return value.isTextual() ? value.textValue() : fallback;
    }

    List<String> texts(String key) {
        JsonNode value = value(key);
        if (value.isMissingNode()) {
            return List.of();
        }
        List<JsonNode> items = items(value);
        if (!value.isArray() || !items.stream().allMatch(JsonNode::isTextual)) {
            fault(key, "is %s; write a list of texts", shown(value));
            return List.of();
        }
        return items.stream().map(JsonNode::textValue).toList();
    }

    /** One whole number or a list of them, not below zero. */
    List<Integer> integers(String key) {
        JsonNode value = value(key);
        List<JsonNode> items = value.isArray() ? items(value) : value.isMissingNode() ? List.of() : List.of(value);
        if (!items.stream()
                .allMatch(item -> item.canConvertToInt() && item.isIntegralNumber() && item.intValue() >= 0)) {
            fault(key, "is %s; write a whole number of 0 or more, or a list of them", shown(value));
            return List.of();
        }
        return items.stream().map(JsonNode::intValue).toList();
    }

    public void fault(String key, String message, Object... args) {
        faults.add(new Fault(at(key), message.formatted(args)));
    }

    private String at(String key) {
        return path + (path.endsWith(": ") ? "" : ".") + key;
    }

    /** Null counts as absent: transformers writes it for what a model does not have. */
    private JsonNode value(String key) {
        JsonNode value = object.path(key);
        return value.isNull() ? object.path("") : value;
    }

    private static List<JsonNode> items(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private static String shown(JsonNode value) {
        String text = value.toString();
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }
}
