package io.knabla.runtime.shm;

import java.util.Optional;
import java.util.regex.Matcher;
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

    private static final Pattern FIELD =
            Pattern.compile("\"(key|offset|byte_size)\"\\s*:\\s*(?:\"([^\"\\\\]*)\"|(\\d{1,18}))");

    static boolean isName(String text) {
        return WORD.matcher(text).matches();
    }

    /** Reads the body of a registration; empty if it is none. */
    static Optional<SharedRegion> ofJson(String name, String json) {
        String key = "";
        long offset = 0;
        long byteSize = 0;
        Matcher field = FIELD.matcher(json);
        while (field.find()) {
            switch (field.group(1)) {
                case "key" -> key = field.group(2) == null ? "" : field.group(2);
                case "offset" -> offset = number(field);
                default -> byteSize = number(field);
            }
        }
        String file = key.startsWith("/") ? key.substring(1) : key;
        return isName(name) && isName(file) && byteSize > 0 && byteSize <= Integer.MAX_VALUE && offset >= 0
                ? Optional.of(new SharedRegion(name, file, offset, byteSize))
                : Optional.empty();
    }

    private static long number(Matcher field) {
        return field.group(3) == null ? -1 : Long.parseLong(field.group(3));
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
