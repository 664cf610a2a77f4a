package io.knabla.controller.local.gateway;

import io.vertx.core.MultiMap;
import java.util.Map;

/** Copies headers between client and replica, without hop-by-hop headers (RFC 9110, section 7.6.1) and credentials. */
final class Headers {
    static final String START = "Knabla-Start";
    static final String VERSION = "Knabla-Version";
    static final String TOKEN = "Knabla-Replica-Token";
    static final String SERVER_TIMING = "Server-Timing";

    private Headers() {}

    static void copy(MultiMap from, MultiMap to) {
        // Connection may name further hop-by-hop headers.
        String connection = from.get("Connection");
        for (Map.Entry<String, String> header : from) {
            String name = header.getKey();
            if (!isHopByHop(name) && (connection == null || !names(connection, name))) {
                to.add(name, header.getValue());
            }
        }
    }

    /** Value of Content-Length, or -1. */
    static long length(MultiMap headers) {
        String length = headers.get("Content-Length");
        try {
            return length == null ? -1 : Long.parseLong(length);
        } catch (NumberFormatException refusedByVertx) {
            return -1;
        }
    }

    /** Switches on the length first: this runs for every header of every request. */
    private static boolean isHopByHop(String name) {
        return switch (name.length()) {
            case 2 -> name.equalsIgnoreCase("TE");
            case 4 -> name.equalsIgnoreCase("Host");
            case 6 -> name.equalsIgnoreCase("Expect");
            case 7 -> name.equalsIgnoreCase("Upgrade") || name.equalsIgnoreCase("Trailer");
            case 10 -> name.equalsIgnoreCase("Connection") || name.equalsIgnoreCase("Keep-Alive");
            case 13 -> name.equalsIgnoreCase("Authorization");
            case 14 -> name.equalsIgnoreCase("Content-Length") || name.equalsIgnoreCase("HTTP2-Settings");
            case 16 -> name.equalsIgnoreCase("Proxy-Connection");
            case 17 -> name.equalsIgnoreCase("Transfer-Encoding");
            case 18 -> name.equalsIgnoreCase("Proxy-Authenticate");
            case 19 -> name.equalsIgnoreCase("Proxy-Authorization");
            case 20 -> name.equalsIgnoreCase(TOKEN);
            default -> false;
        };
    }

    private static boolean names(String connection, String name) {
        for (String part : connection.split(",")) {
            if (part.strip().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }
}
