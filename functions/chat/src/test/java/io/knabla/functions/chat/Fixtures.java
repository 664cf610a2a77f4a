package io.knabla.functions.chat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Renderings by Jinja2, made by {@code src/test/python/templates.py}. */
final class Fixtures {
    static final Clock CLOCK = Clock.fixed(Instant.parse("2025-03-07T09:05:03Z"), ZoneOffset.UTC);

    private Fixtures() {}

    /** Strings, longs, doubles, booleans, nulls, lists and maps. */
    static Object read(String resource) {
        try (var in = new GZIPInputStream(Fixtures.class.getResourceAsStream("/" + resource));
                JsonParser json = new JsonFactory().createParser(in)) {
            json.nextToken();
            return value(json);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> map(json);
            case START_ARRAY -> list(json);
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private static Map<String, Object> map(JsonParser json) throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            map.put(name, value(json));
        }
        return map;
    }

    private static List<Object> list(JsonParser json) throws IOException {
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            list.add(value(json));
        }
        return list;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> asMap(Object map) {
        return (Map<String, Object>) map;
    }

    @SuppressWarnings("unchecked")
    static List<Object> asList(Object list) {
        return (List<Object>) list;
    }

    /** The rendered text; null if the template or the rendering is refused. */
    static String render(String source, Map<String, Object> variables) {
        return switch (ChatTemplate.parse(source)) {
            case Parsed.Valid(ChatTemplate template) -> text(template, variables);
            case Parsed.Invalid _ -> null;
        };
    }

    private static String text(ChatTemplate template, Map<String, Object> variables) {
        Map<String, Object> others = new LinkedHashMap<>(variables);
        Object messages = others.remove("messages");
        List<Map<String, Object>> conversation = new ArrayList<>();
        asList(messages == null ? List.of() : messages).forEach(message -> conversation.add(asMap(message)));
        return switch (template.withClock(CLOCK).render(conversation, others)) {
            case Rendered.Text(String text) -> text;
            case Rendered.Refused _ -> null;
        };
    }
}
