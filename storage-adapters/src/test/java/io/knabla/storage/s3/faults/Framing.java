package io.knabla.storage.s3.faults;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Where a body ends, by RFC 9112, section 6.3. */
sealed interface Framing {
    record Length(int bytes) implements Framing {}

    record Chunked() implements Framing {}

    record UntilClose() implements Framing {}

    static Framing ofRequest(Head request) {
        return isChunked(request) ? new Chunked() : new Length(length(request, 0));
    }

    static Framing ofAnswer(Head request, Head answer) {
        int status = answer.status();
        if (request.method().equals("HEAD") || status == 204 || status == 304) {
            return new Length(0);
        }
        if (isChunked(answer)) {
            return new Chunked();
        }
        int length = length(answer, -1);
        return length < 0 ? new UntilClose() : new Length(length);
    }

    private static boolean isChunked(Head head) {
        return head.field("Transfer-Encoding")
                .filter("chunked"::equalsIgnoreCase)
                .isPresent();
    }

    private static int length(Head head, int otherwise) {
        return head.field("Content-Length").map(Integer::parseInt).orElse(otherwise);
    }

    /** The body as it came, chunks' own lines included. */
    default byte[] read(InputStream in) throws IOException {
        return switch (this) {
            case Length(int bytes) -> exactly(in, bytes);
            case Chunked _ -> chunks(in);
            case UntilClose _ -> in.readAllBytes();
        };
    }

    private static byte[] exactly(InputStream in, int bytes) throws IOException {
        byte[] body = in.readNBytes(bytes);
        if (body.length < bytes) {
            throw new EOFException("the connection ended amid a body");
        }
        return body;
    }

    private static byte[] chunks(InputStream in) throws IOException {
        var all = new ByteArrayOutputStream();
        int size;
        do {
            String line = line(in, all);
            size = Integer.parseInt(line.split(";", 2)[0].strip(), 16);
            all.write(exactly(in, size));
            // After the last chunk there may be trailers; an empty line ends them.
            while (!line(in, all).isEmpty()) {}
        } while (size > 0);
        return all.toByteArray();
    }

    private static String line(InputStream in, ByteArrayOutputStream copy) throws IOException {
        String line = Head.line(in);
        if (line == null) {
            throw new EOFException("the connection ended amid chunks");
        }
        copy.write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return line;
    }
}
