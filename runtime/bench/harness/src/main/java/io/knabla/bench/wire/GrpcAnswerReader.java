package io.knabla.bench.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Incremental parser of the answers on one connection of gRPC, which come one after the other. */
final class GrpcAnswerReader implements ResponseReader {
    private static final int FRAME_HEAD = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int GOAWAY = 7;
    private static final int END_STREAM = 1;
    private static final byte[] OK = "\u000bgrpc-status\u00010".getBytes(StandardCharsets.ISO_8859_1);

    private byte[] bytes = new byte[16 * 1024];
    private int count;
    private byte[] body = new byte[1024];
    private int bodyLength;
    private byte[] trailers = {};
    private boolean ended;

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
        int at = 0;
        while (count - at >= FRAME_HEAD && count - at >= FRAME_HEAD + length(at)) {
            frame(bytes[at + 3], bytes[at + 4], at + FRAME_HEAD, length(at));
            at += FRAME_HEAD + length(at);
        }
        System.arraycopy(bytes, at, bytes, 0, count - at);
        count -= at;
        return ended;
    }

    private int length(int at) {
        return (bytes[at] & 0xff) << 16 | (bytes[at + 1] & 0xff) << 8 | bytes[at + 2] & 0xff;
    }

    private void frame(int type, int flags, int at, int length) {
        switch (type) {
            case DATA -> {
                if (body.length - bodyLength < length) {
                    body = Arrays.copyOf(body, 2 * (bodyLength + length));
                }
                System.arraycopy(bytes, at, body, bodyLength, length);
                bodyLength += length;
            }
            case HEADERS -> {
                ended = (flags & END_STREAM) != 0;
                if (ended) {
                    trailers = Arrays.copyOfRange(bytes, at, at + length);
                }
            }
            case RST_STREAM, GOAWAY -> {
                ended = true;
                trailers = "the server ended the stream".getBytes(StandardCharsets.US_ASCII);
            }
            // Windows and settings: this client's requests fit any.
            default -> {}
        }
    }

    @Override
    public void reset() {
        bodyLength = 0;
        ended = false;
    }

    @Override
    public boolean isOk() {
        for (int at = 0; at + OK.length <= trailers.length; at++) {
            if (Arrays.equals(trailers, at, at + OK.length, OK, 0, OK.length)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean hasBody(byte[] other) {
        return Arrays.equals(body, 0, bodyLength, other, 0, other.length);
    }

    @Override
    public byte[] rawBody() {
        return Arrays.copyOf(body, bodyLength);
    }

    @Override
    public HttpAnswer answer() {
        String text = new String(trailers, StandardCharsets.ISO_8859_1);
        return new HttpAnswer(isOk() ? "HTTP/2.0 200" : "HTTP/2.0 500 " + text, rawBody());
    }
}
