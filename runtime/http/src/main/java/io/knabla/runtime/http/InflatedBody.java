package io.knabla.runtime.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/** Inflates a compressed body while it arrives; the body must end with its compressed data. */
final class InflatedBody implements BodyBuffer.Source, AutoCloseable {
    private final ContentCoding coding;
    private final Packed packed;
    private final InputStream inflated;

    InflatedBody(ContentCoding coding, BodyBuffer.Source body) {
        this.coding = coding;
        this.packed = new Packed(body);
        this.inflated = coding.inflating(packed);
    }

    /** The body as it was sent. */
    private static final class Packed extends InputStream {
        private final BodyBuffer.Source body;

        /** The client left: no fault of the compressed data. */
        private boolean gone;

        Packed(BodyBuffer.Source body) {
            this.body = body;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            try {
                return length == 0 ? 0 : body.read(into, from, length);
            } catch (IOException left) {
                gone = true;
                throw left;
            }
        }
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        try {
            return inflated.read(into, from, length);
        } catch (ZipException wrong) {
            throw malformed(String.valueOf(wrong.getMessage()));
        } catch (EOFException end) {
            if (packed.gone) {
                throw end;
            }
            throw malformed("it ends within its compressed data");
        }
    }

    private HttpFault malformed(String why) {
        return new HttpFault(
                400, "the body is not " + coding.name().toLowerCase() + ", as Content-Encoding says: " + why);
    }

    @Override
    public void close() throws IOException {
        inflated.close();
    }
}
