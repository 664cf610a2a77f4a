package io.knabla.storage.s3.proxy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** How the end of an HTTP body is determined, by RFC 9112, section 6.3. */
sealed interface Framing {
    record Length(int bytes) implements Framing {}

    record Chunked() implements Framing {}

    record UntilClose() implements Framing {}

    static Framing ofRequest(MessageHead request) {
        return isChunked(request) ? new Chunked() : new Length(length(request, 0));
    }

    static Framing ofAnswer(MessageHead request, MessageHead answer) {
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

    private static boolean isChunked(MessageHead head) {
        return head.field("Transfer-Encoding")
                .filter("chunked"::equalsIgnoreCase)
                .isPresent();
    }

    private static int length(MessageHead head, int otherwise) {
        return head.field("Content-Length").map(Integer::parseInt).orElse(otherwise);
    }

    /** Reads the raw body, including the chunk lines. */
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
            throw new EOFException("the connection ended within a body");
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
            // Trailers may follow the last chunk; an empty line ends them.
            while (!line(in, all).isEmpty()) {}
        } while (size > 0);
        return all.toByteArray();
    }

    private static String line(InputStream in, ByteArrayOutputStream copy) throws IOException {
        String line = MessageHead.line(in);
        if (line == null) {
            throw new EOFException("the connection ended within the chunks");
        }
        copy.write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return line;
    }
}
