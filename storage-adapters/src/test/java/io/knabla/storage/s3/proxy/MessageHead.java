package io.knabla.storage.s3.proxy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Start line and header fields of an HTTP/1.1 message, unchanged because signatures cover them.
 *
 * @param start request or status line, without its end
 * @param fields lines without their ends
 */
public record MessageHead(String start, List<String> fields) {
    private static final int MOST = 64 * 1024;

    public MessageHead {
        fields = List.copyOf(fields);
    }

    /** Returns empty if the connection ends before the first byte. */
    static Optional<MessageHead> read(InputStream in) throws IOException {
        String start = line(in);
        if (start == null) {
            return Optional.empty();
        }
        List<String> fields = new ArrayList<>();
        for (String line = line(in); !"".equals(line); line = line(in)) {
            if (line == null) {
                throw new EOFException("the connection ended within a header");
            }
            fields.add(line);
        }
        return Optional.of(new MessageHead(start, fields));
    }

    /** Returns null at the end of the stream. */
    static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 && line.size() == 0) {
                return null;
            }
            if (next < 0 || line.size() > MOST) {
                throw new EOFException("the connection ended within a line, or the line never ends");
            }
            line.write(next);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    public String method() {
        return start.substring(0, start.indexOf(' '));
    }

    /** Path and query. */
    public String target() {
        return start.substring(start.indexOf(' ') + 1, start.lastIndexOf(' '));
    }

    int status() {
        return Integer.parseInt(start.split(" ", 3)[1]);
    }

    public Optional<String> field(String name) {
        return fields.stream()
                .filter(line -> named(line, name))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    MessageHead without(String name) {
        return new MessageHead(
                start, fields.stream().filter(line -> !named(line, name)).toList());
    }

    /** Sorts the fields by name, as many servers do: the S3-specific fields then come last. */
    MessageHead sorted() {
        return new MessageHead(
                start, fields.stream().sorted(String.CASE_INSENSITIVE_ORDER).toList());
    }

    private static boolean named(String line, String name) {
        return line.regionMatches(true, 0, name, 0, name.length()) && line.startsWith(":", name.length());
    }

    byte[] bytes() {
        String text = start + "\r\n" + String.join("\r\n", fields);
        return (text + (fields.isEmpty() ? "\r\n" : "\r\n\r\n")).getBytes(StandardCharsets.ISO_8859_1);
    }
}
