package io.knabla.bench.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Incremental HTTP response parser: collects bytes and detects the end of a response, without copies or allocations for
 * responses with {@code Content-Length}.
 */
public final class AnswerReader implements ResponseReader {
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int CHUNKED = -1;

    private byte[] bytes = new byte[16 * 1024];
    private int count;
    private int headEnd;
    private int bodyLength;

    @Override
    public byte[] room() {
        if (count == bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        return bytes;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public boolean received(int more) {
        count += more;
        if (headEnd == 0 && !findHead()) {
            return false;
        }
        if (bodyLength == CHUNKED) {
            return endsChunked();
        }
        return count >= headEnd + bodyLength;
    }

    @Override
    public void reset() {
        count = 0;
        headEnd = 0;
    }

    @Override
    public boolean isOk() {
        return bytes[9] == '2' && bytes[10] == '0' && bytes[11] == '0';
    }

    @Override
    public boolean hasBody(byte[] body) {
        return Arrays.equals(bytes, headEnd, count, body, 0, body.length);
    }

    @Override
    public byte[] rawBody() {
        return Arrays.copyOfRange(bytes, headEnd, count);
    }

    @Override
    public HttpAnswer answer() {
        String head = new String(bytes, 0, headEnd - 4, StandardCharsets.ISO_8859_1);
        return new HttpAnswer(head, bodyLength == CHUNKED ? dechunked() : rawBody());
    }

    private boolean findHead() {
        for (int at = 0; at + END.length <= count; at++) {
            if (Arrays.equals(bytes, at, at + END.length, END, 0, END.length)) {
                headEnd = at + END.length;
                bodyLength = length();
                return true;
            }
        }
        return false;
    }

    private int length() {
        for (int at = 0; at + LENGTH.length < headEnd; at++) {
            if (bytes[at] == '\n' && startsWithLength(at + 1)) {
                return number(at + 1 + LENGTH.length);
            }
        }
        return CHUNKED;
    }

    private boolean startsWithLength(int at) {
        for (int i = 0; i < LENGTH.length; i++) {
            if (Character.toLowerCase(bytes[at + i]) != LENGTH[i]) {
                return false;
            }
        }
        return true;
    }

    private int number(int at) {
        int value = 0;
        for (int i = at; bytes[i] != '\r'; i++) {
            if (bytes[i] != ' ') {
                value = value * 10 + bytes[i] - '0';
            }
        }
        return value;
    }

    /** The last chunk is empty; no server measured here sends trailers. */
    private boolean endsChunked() {
        return count >= headEnd + 5
                && bytes[count - 5] == '0'
                && Arrays.equals(bytes, count - 4, count, END, 0, END.length);
    }

    private byte[] dechunked() {
        var body = new ByteArrayOutputStream();
        int at = headEnd;
        while (true) {
            int line = at;
            while (bytes[line] != '\r') {
                line++;
            }
            int size = Integer.parseInt(new String(bytes, at, line - at, StandardCharsets.US_ASCII), 16);
            if (size == 0) {
                return body.toByteArray();
            }
            body.write(bytes, line + 2, size);
            at = line + 2 + size + 2;
        }
    }
}
