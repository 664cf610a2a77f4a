package io.knabla.storage.s3.faults;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The start line and the fields of an HTTP/1.1 message, as they came: signatures cover them.
 *
 * @param start request or status line, without its end
 * @param fields lines without their ends
 */
public record Head(String start, List<String> fields) {
    private static final int MOST = 64 * 1024;

    public Head {
        fields = List.copyOf(fields);
    }

    /** Empty when the connection ends before the first byte. */
    static Optional<Head> read(InputStream in) throws IOException {
        String start = line(in);
        if (start == null) {
            return Optional.empty();
        }
        List<String> fields = new ArrayList<>();
        for (String line = line(in); !"".equals(line); line = line(in)) {
            if (line == null) {
                throw new EOFException("the connection ended amid a head");
            }
            fields.add(line);
        }
        return Optional.of(new Head(start, fields));
    }

    /** Null at the end of the stream. */
    static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 && line.size() == 0) {
                return null;
            }
            if (next < 0 || line.size() > MOST) {
                throw new EOFException("the connection ended amid a line, or the line never ends");
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

    Head without(String name) {
        return new Head(
                start, fields.stream().filter(line -> !named(line, name)).toList());
    }

    /** By name, as many servers write them: what S3 adds of its own then ends the head. */
    Head sorted() {
        return new Head(
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
