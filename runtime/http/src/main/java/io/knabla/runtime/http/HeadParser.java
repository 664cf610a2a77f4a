package io.knabla.runtime.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Parses the head of a request or a response strictly. Rejects everything that another parser could read differently,
 * because request smuggling past a proxy relies on such differences.
 */
final class HeadParser {
    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (char c = '!'; c < 127; c++) {
            TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
        }
    }

    /** Length of {@code HTTP/1.1}. */
    private static final int VERSION = 8;

    private final byte[] bytes;
    private int at;

    private HeadParser(byte[] bytes, int from) {
        this.bytes = bytes;
        this.at = from;
    }

    static boolean isToken(char c) {
        return c < TOKEN.length && TOKEN[c];
    }

    /** Returns the end of the head that starts at {@code from}, after the empty line; -1 if it is incomplete. */
    static int end(byte[] bytes, int from, int scanned, int limit) {
        for (int i = Math.max(from, scanned - 3); i + 3 < limit; i++) {
            if (bytes[i + 3] == '\n' && bytes[i + 2] == '\r' && bytes[i + 1] == '\n' && bytes[i] == '\r') {
                return i + 4;
            }
        }
        return -1;
    }

    /** Parses the complete head of a request in {@code bytes} from {@code from}. */
    static HttpRequest request(byte[] bytes, int from) {
        return new HeadParser(bytes, from).request();
    }

    /** Parses the complete head of a response. */
    static ResponseHead response(byte[] bytes, int from) {
        return new HeadParser(bytes, from).response();
    }

    private HttpRequest request() {
        String method = token(' ', "the method");
        String target = target();
        boolean http11 = version(text('\r', VERSION));
        lineEnd();
        return new HttpRequest(method, target, headers(), http11, System.nanoTime());
    }

    private ResponseHead response() {
        boolean http11 = version(text(' ', VERSION));
        at++;
        int status = 0;
        for (int i = 0; i < 3; i++) {
            int digit = bytes[at++] - '0';
            if (digit < 0 || digit > 9) {
                throw new HttpFault(502, "malformed HTTP response: its status is not a number");
            }
            status = 10 * status + digit;
        }
        if (status < 100 || status > 599) {
            throw new HttpFault(502, "malformed HTTP response: its status is " + status);
        }
        value();
        return new ResponseHead(status, headers(), http11);
    }

    private HttpHeaders headers() {
        String[] headers = new String[16];
        int count = 0;
        while (bytes[at] != '\r') {
            if (count == 2 * HttpLimits.HEADERS) {
                throw new HttpFault(431, "more than " + HttpLimits.HEADERS + " headers");
            }
            if (count == headers.length) {
                headers = Arrays.copyOf(headers, count * 2);
            }
            headers[count++] = token(':', "a header's name");
            headers[count++] = value();
        }
        lineEnd();
        return new HttpHeaders(headers, count);
    }

    private String token(char end, String what) {
        int start = at;
        while (bytes[at] > 0 && TOKEN[bytes[at]]) {
            at++;
        }
        if (at == start || bytes[at] != end) {
            throw new HttpFault(400, "malformed HTTP request: bad character in " + what);
        }
        return new String(bytes, start, at++ - start, StandardCharsets.ISO_8859_1);
    }

    private String target() {
        int start = at;
        while (bytes[at] > 0x20 && bytes[at] < 0x7f) {
            at++;
        }
        if (at == start || bytes[at] != ' ') {
            throw new HttpFault(400, "malformed HTTP request: bad character in the target");
        }
        if (bytes[start] != '/') {
            throw new HttpFault(400, "the target of a request must be a path, as in GET /v2");
        }
        return new String(bytes, start, at++ - start, StandardCharsets.ISO_8859_1);
    }

    private String text(char end, int most) {
        int start = at;
        while (bytes[at] != end && bytes[at] != '\r' && bytes[at] != '\n' && at - start <= most) {
            at++;
        }
        return new String(bytes, start, at - start, StandardCharsets.ISO_8859_1);
    }

    private static boolean version(String version) {
        return switch (version) {
            case "HTTP/1.1" -> true;
            case "HTTP/1.0" -> false;
            default -> throw new HttpFault(505, "this server speaks HTTP/1.1 and HTTP/1.0");
        };
    }

    private String value() {
        while (bytes[at] == ' ' || bytes[at] == '\t') {
            at++;
        }
        int start = at;
        while ((bytes[at] & 0xff) >= 0x20 && bytes[at] != 0x7f || bytes[at] == '\t') {
            at++;
        }
        int end = at;
        while (end > start && (bytes[end - 1] == ' ' || bytes[end - 1] == '\t')) {
            end--;
        }
        lineEnd();
        return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    }

    /** Accepts only CR LF: a bare LF ends a line for some parsers only. */
    private void lineEnd() {
        if (bytes[at] != '\r' || bytes[at + 1] != '\n') {
            throw new HttpFault(400, "malformed HTTP request: bad character or line end in its head");
        }
        at += 2;
    }
}
