package io.knabla.runtime.http;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * What names one request in logs and answers: the caller's {@code X-Request-Id} and W3C {@code traceparent}. Fresh ones
 * replace those that are malformed, given twice or longer than 128 characters, so that no caller writes into a log what
 * it likes. A request without an id gets one.
 */
public final class RequestTrace {
    private static final String ID = "X-Request-Id";
    private static final String PARENT = "traceparent";
    private static final String STATE = "tracestate";
    private static final HexFormat HEX = HexFormat.of();
    private static final Pattern WELL_FORMED_ID = Pattern.compile("[\\w.~:/+=@-]{1,128}");
    private static final String FIELDS = "-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}";

    /** Versions after 00 may add fields. */
    private static final Pattern WELL_FORMED_PARENT =
            Pattern.compile("00" + FIELDS + "|(?!00|ff)[0-9a-f]{2}" + FIELDS + "(-[\\w.-]{0,72})?");

    private final String id;

    /** Empty if the caller gave none. */
    private final String parent;

    private final boolean keepsState;

    private RequestTrace(String id, String parent, boolean keepsState) {
        this.id = id;
        this.parent = parent;
        this.keepsState = keepsState;
    }

    static RequestTrace of(HttpHeaders headers) {
        String id = wellFormed(headers, ID, WELL_FORMED_ID);
        String parent = wellFormed(headers, PARENT, WELL_FORMED_PARENT);
        return new RequestTrace(
                id == null ? hex() + hex() : id,
                parent != null
                        ? parent
                        : headers.get(PARENT) == null ? "" : "00-" + hex() + hex() + "-" + hex() + "-00",
                parent != null);
    }

    private static String wellFormed(HttpHeaders headers, String name, Pattern form) {
        String value = headers.get(name);
        return value != null && form.matcher(value).matches() && headers.count(name) == 1 ? value : null;
    }

    /** Sixteen digits, not all 0. */
    private static String hex() {
        return HEX.toHexDigits(ThreadLocalRandom.current().nextLong() | 1);
    }

    /** Whether the caller's header of this name is not passed on. */
    public boolean replaces(String name) {
        return isRepeated(name) || !keepsState && name.equalsIgnoreCase(STATE);
    }

    /** Whether a server's header of this name repeats {@link #headerLines}. */
    public static boolean isRepeated(String name) {
        return switch (name.length()) {
            case 11 -> name.equalsIgnoreCase(PARENT);
            case 12 -> name.equalsIgnoreCase(ID);
            default -> false;
        };
    }

    /** Lines for the next server and for the answer, each ended by CR LF. */
    public String headerLines() {
        return ID + ": " + id + "\r\n" + (parent.isEmpty() ? "" : PARENT + ": " + parent + "\r\n");
    }

    /** For logs: {@code request ID}, and {@code , trace TRACE} if there is one. */
    @Override
    public String toString() {
        return "request " + id + (parent.isEmpty() ? "" : ", trace " + parent.substring(3, 35));
    }
}
