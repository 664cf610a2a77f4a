package io.knabla.runtime.http;

import java.util.Arrays;

/**
 * Collects the fields of a header block and makes a request of them. Refuses whatever could read differently as
 * HTTP/1.1, in which the gateway passes requests on (RFC 9113, sections 8.2 and 8.3).
 */
final class Http2Head {
    /** Size that a field counts besides its name and value (RFC 9113, section 6.5.2). */
    private static final int OVERHEAD = 32;

    private String[] fields = new String[24];
    private int count;
    private int size;
    private String method;
    private String path;
    private String scheme;
    private String authority;
    private boolean malformed;

    void add(String name, String value) {
        size += name.length() + value.length() + OVERHEAD;
        if (tooLarge() || malformed) {
            return;
        }
        if (!isValue(value)) {
            malformed = true;
        } else if (name.startsWith(":")) {
            pseudo(name, value);
        } else if (!isName(name) || isOfConnection(name) || (name.equals("te") && !value.equals("trailers"))) {
            malformed = true;
        } else {
            put(name, value);
        }
    }

    /** Fields that say something about an HTTP/1.1 connection, and have no place in HTTP/2. */
    static boolean isOfConnection(String name) {
        return switch (name) {
            case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade" -> true;
            default -> false;
        };
    }

    private void pseudo(String name, String value) {
        boolean late = count > 0;
        String before = switch (name) {
            case ":method" -> method;
            case ":path" -> path;
            case ":scheme" -> scheme;
            case ":authority" -> authority;
            default -> name;
        };
        if (late || before != null) {
            malformed = true;
            return;
        }
        switch (name) {
            case ":method" -> method = value;
            case ":path" -> path = value;
            case ":scheme" -> scheme = value;
            default -> authority = value;
        }
    }

    private void put(String name, String value) {
        if (count == fields.length) {
            fields = Arrays.copyOf(fields, 2 * count);
        }
        fields[count++] = name;
        fields[count++] = value;
    }

    private static boolean isName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!HeadParser.isToken(c) || (c >= 'A' && c <= 'Z')) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < 0x20 && c != '\t') || c == 0x7f) {
                return false;
            }
        }
        return true;
    }

    /** Whether the fields are more than a request may have. */
    boolean tooLarge() {
        return size > HttpLimits.HEAD_BYTES || count > 2 * HttpLimits.HEADERS;
    }

    /** The request; null if the block is malformed. */
    HttpRequest request() {
        if (tooLarge()) {
            return new HttpRequest("GET", "/", HttpHeaders.of(), true, System.nanoTime());
        }
        if (malformed || method == null || scheme == null || !isTarget(path) || !isName(lower(method))) {
            return null;
        }
        var headers = new HttpHeaders(fields, count);
        if (authority != null && headers.get("Host") == null) {
            put("host", authority);
            headers = new HttpHeaders(fields, count);
        }
        boolean twoHosts = headers.count("Host") > 1 || (authority != null && !authority.equals(headers.get("Host")));
        return twoHosts ? null : new HttpRequest(method, path, headers, true, System.nanoTime());
    }

    private static String lower(String method) {
        return method.toLowerCase(java.util.Locale.ROOT);
    }

    private static boolean isTarget(String path) {
        return path != null && path.startsWith("/") && path.chars().allMatch(c -> c > 0x20 && c < 0x7f);
    }
}
