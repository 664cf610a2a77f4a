package io.knabla.runtime.shm;

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

    static boolean isName(String text) {
        return WORD.matcher(text).matches();
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
