package io.knabla.runtime.grpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON of answers as maps and lists, and texts of requests in quotes. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final JsonStringEncoder ENCODER = JsonStringEncoder.getInstance();

    private Json() {}

    /** @throws IOException if it is not JSON */
    static Object read(byte[] bytes, int length) throws IOException {
        try (JsonParser parser = FACTORY.createParser(bytes, 0, length)) {
            return value(parser, parser.nextToken());
        }
    }

    private static Object value(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    list.add(value(parser, next));
                }
                yield list;
            }
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case null, default -> parser.getText();
        };
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            map.put(name, value(parser, parser.nextToken()));
        }
        return map;
    }

    static String text(Object object, String field) {
        return object instanceof Map<?, ?> map && map.get(field) instanceof String text ? text : "";
    }

    static boolean flag(Object object, String field) {
        return object instanceof Map<?, ?> map && Boolean.TRUE.equals(map.get(field));
    }

    static long number(Object object, String field) {
        return object instanceof Map<?, ?> map && map.get(field) instanceof Number number ? number.longValue() : 0;
    }

    static Object child(Object object, String field) {
        return object instanceof Map<?, ?> map ? map.get(field) : null;
    }

    static List<?> list(Object object, String field) {
        return child(object, field) instanceof List<?> list ? list : List.of();
    }

    static StringBuilder quoted(StringBuilder json, String text) {
        json.append('"');
        ENCODER.quoteAsString(text, json);
        return json.append('"');
    }
}
