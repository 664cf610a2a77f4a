package io.knabla.runtime.modes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Environment that the controller assigns to a pool member, in the format of {@code /proc/PID/environ}:
 * {@code NAME=value} entries, each ended by a zero byte, and an empty entry at the end.
 */
final class Assignment {
    /** The controller sends no longer one: it must fit into a pipe, so that sending never waits. */
    private static final int LONGEST = 32 << 10;

    private Assignment() {}

    /** Waits for an assignment; empty if the input ends before it is complete. */
    static Map<String, String> read(InputStream in) throws IOException {
        byte[] bytes = new byte[LONGEST];
        int size = 0;
        while (size < 2 || bytes[size - 1] != 0 || bytes[size - 2] != 0) {
            int count = in.read(bytes, size, LONGEST - size);
            if (count <= 0) {
                return Map.of();
            }
            size += count;
        }
        Map<String, String> assigned = new HashMap<>();
        String text = new String(bytes, 0, size - 2, StandardCharsets.UTF_8);
        for (int from = 0; from < text.length(); ) {
            int end = text.indexOf('\0', from) < 0 ? text.length() : text.indexOf('\0', from);
            int equals = text.indexOf('=', from);
            assigned.put(text.substring(from, equals), text.substring(equals + 1, end));
            from = end + 1;
        }
        return assigned;
    }
}
