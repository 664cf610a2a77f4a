package io.knabla.runtime.openai;

import io.knabla.runtime.generation.grammar.schema.JsonValue;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads what a caller gives the chat template besides the conversation, such as Qwen's {@code enable_thinking}. */
final class TemplateVariables {
    /** As vLLM and SGLang call it. */
    static final String FIELD = "chat_template_kwargs";

    /** Those that the request has fields for, or that are not supported. */
    private static final Set<String> RESERVED = Set.of("messages", "add_generation_prompt", "tools", "documents");

    /** Any that a long holds. */
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");

    private TemplateVariables() {}

    /** By name; their values as {@link io.knabla.functions.chat.ChatTemplate#render} takes them. */
    static Map<String, Object> read(RequestFields fields) {
        Optional<JsonValue> given = fields.exact(FIELD);
        if (given.isEmpty()) {
            return Map.of();
        }
        if (!(given.get() instanceof JsonValue.Fields(var byName))) {
            fields.fault(FIELD, "'%s' must be an object of the template's variables", FIELD);
            return Map.of();
        }
        Map<String, Object> variables = new HashMap<>();
        byName.forEach((name, value) -> {
            if (RESERVED.contains(name)) {
                fields.fault(FIELD, "'%s' has '%s', which the request itself decides; leave it out", FIELD, name);
            }
            variables.put(name, plain(value));
        });
        return variables;
    }

    private static Object plain(JsonValue value) {
        return switch (value) {
            case JsonValue.Null _ -> null;
            case JsonValue.Flag(var flag) -> flag;
            case JsonValue.Text(var text) -> text;
            case JsonValue.Numeral(var digits) -> number(digits);
            case JsonValue.Items(var items) -> list(items);
            case JsonValue.Fields(var fields) -> map(fields);
        };
    }

    private static List<Object> list(List<JsonValue> items) {
        return items.stream().map(TemplateVariables::plain).toList();
    }

    private static Map<String, Object> map(Map<String, JsonValue> fields) {
        Map<String, Object> map = new LinkedHashMap<>();
        fields.forEach((name, value) -> map.put(name, plain(value)));
        return map;
    }

    /** A Long if it is written as a whole number that fits one, otherwise a Double. */
    private static Object number(String digits) {
        if (WHOLE.matcher(digits).matches()) {
            return Long.valueOf(digits);
        }
        return Double.valueOf(digits);
    }
}
