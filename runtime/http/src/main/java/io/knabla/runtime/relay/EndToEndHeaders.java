package io.knabla.runtime.relay;

import io.knabla.runtime.http.HttpHeaders;
import java.util.function.Predicate;

/** Copies the headers that a proxy forwards: all but hop-by-hop headers (RFC 9110, section 7.6.1). */
public final class EndToEndHeaders {
    private EndToEndHeaders() {}

    /**
     * Appends each header that may be passed on as a line.
     *
     * @param dropped further names that are not passed on
     */
    public static void append(HttpHeaders from, Predicate<String> dropped, StringBuilder to) {
        // Connection may name further hop-by-hop headers.
        String connection = from.get("Connection");
        for (int i = 0; i < from.size(); i++) {
            String name = from.name(i);
            if (!isHopByHop(name) && !dropped.test(name) && (connection == null || !from.lists("Connection", name))) {
                to.append(name).append(": ").append(from.value(i)).append("\r\n");
            }
        }
    }

    /** Switches on the length first: this runs for every header of every request. */
    private static boolean isHopByHop(String name) {
        return switch (name.length()) {
            case 2 -> name.equalsIgnoreCase("TE");
            case 6 -> name.equalsIgnoreCase("Expect");
            case 7 -> name.equalsIgnoreCase("Upgrade") || name.equalsIgnoreCase("Trailer");
            case 10 -> name.equalsIgnoreCase("Connection") || name.equalsIgnoreCase("Keep-Alive");
            case 14 -> name.equalsIgnoreCase("Content-Length") || name.equalsIgnoreCase("HTTP2-Settings");
            case 16 -> name.equalsIgnoreCase("Proxy-Connection");
            case 17 -> name.equalsIgnoreCase("Transfer-Encoding");
            case 18 -> name.equalsIgnoreCase("Proxy-Authenticate");
            case 19 -> name.equalsIgnoreCase("Proxy-Authorization");
            default -> false;
        };
    }
}
