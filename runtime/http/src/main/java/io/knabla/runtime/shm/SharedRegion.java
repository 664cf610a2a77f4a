package io.knabla.runtime.shm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A part of a POSIX shared memory object.
 *
 * @param name under which requests use it
 * @param key the object's name, which on Linux is that of a file in {@code /dev/shm}, without a slash
 * @param offset of its first byte in the object
 */
public record SharedRegion(String name, String key, long offset, long byteSize) {
    /** No slash and no leading dot, so that neither a path nor another program's hidden object can be meant. */
    private static final Pattern WORD = Pattern.compile("\\w[\\w.-]{0,63}");

    /** A member that is there twice would mean two regions. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final int LARGEST = Integer.MAX_VALUE;

    static boolean isName(String text) {
        return WORD.matcher(text).matches();
    }

    /** Reads the body of a registration; empty if it is none. Members that are unknown are ignored. */
    static Optional<SharedRegion> ofJson(String name, byte[] json, int length) {
        String key = "";
        long offset = 0;
        long byteSize = 0;
        try (JsonParser in = JSON.createParser(json, 0, length)) {
            boolean object = in.nextToken() == JsonToken.START_OBJECT;
            for (String member = in.nextFieldName(); object && member != null; member = in.nextFieldName()) {
                JsonToken value = in.nextToken();
                switch (member) {
                    case "key" -> key = value == JsonToken.VALUE_STRING ? in.getText() : "";
                    case "offset" -> offset = value == JsonToken.VALUE_NULL ? 0 : number(in);
                    case "byte_size" -> byteSize = number(in);
                    default -> in.skipChildren();
                }
            }
            boolean whole = object && in.currentToken() == JsonToken.END_OBJECT && in.nextToken() == null;
            return whole ? of(name, key, offset, byteSize) : Optional.empty();
        } catch (IOException malformed) {
            return Optional.empty();
        }
    }

    private static Optional<SharedRegion> of(String name, String key, long offset, long byteSize) {
        String file = key.startsWith("/") ? key.substring(1) : key;
        boolean within = offset >= 0 && byteSize > 0 && byteSize <= LARGEST && offset <= Long.MAX_VALUE - byteSize;
        return isName(name) && isName(file) && within
                ? Optional.of(new SharedRegion(name, file, offset, byteSize))
                : Optional.empty();
    }

    /** An integer that a long holds; otherwise negative. */
    private static long number(JsonParser in) throws IOException {
        boolean number =
                in.currentToken() == JsonToken.VALUE_NUMBER_INT && in.getNumberType() != NumberType.BIG_INTEGER;
        if (!number) {
            in.skipChildren();
        }
        return number ? in.getLongValue() : -1;
    }

    String toJson() {
        return "{\"name\":\"%s\",\"key\":\"/%s\",\"offset\":%d,\"byte_size\":%d}"
                .formatted(name, key, offset, byteSize);
    }

    /** As in the header between gateway and replica. */
    String toHeader() {
        return name + "=" + key + ":" + offset + ":" + byteSize;
    }

    static SharedRegion ofHeader(String text) {
        int equals = text.indexOf('=');
        String[] parts = text.substring(equals + 1).split(":");
        return new SharedRegion(
                text.substring(0, equals), parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
}
