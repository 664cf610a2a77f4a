package io.knabla.runtime.http;

import java.io.EOFException;
import java.io.IOException;
import java.util.function.Supplier;

/** Reads the body of one message, whatever its framing. */
abstract sealed class BodyReader {
    private static final int MAX_CHUNK_LINE = 256;

    final HttpInput in;

    private BodyReader(HttpInput in) {
        this.in = in;
    }

    static BodyReader of(BodyFraming framing, HttpInput in) {
        return switch (framing) {
            case BodyFraming.Sized(long length) -> new Sized(in, length);
            case BodyFraming.Chunked() -> new Chunked(in);
            case BodyFraming.UntilClose() -> new UntilClose(in);
        };
    }

    /** Limits a body whose length is not declared; without this call it has no limit. */
    void limit(long most, Supplier<HttpFault> tooLarge) {}

    /** Reads at least one byte; -1 at the end of the body. */
    abstract int read(byte[] into, int from, int length) throws IOException;

    /** Whether nothing of the body is left to read. */
    abstract boolean ended();

    private static final class Sized extends BodyReader {
        private long left;

        Sized(HttpInput in, long length) {
            super(in);
            left = length;
        }

        @Override
        int read(byte[] into, int from, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int count = in.read(into, from, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException("the peer left within a body");
            }
            left -= count;
            return count;
        }

        @Override
        boolean ended() {
            return left == 0;
        }
    }

    private static final class UntilClose extends BodyReader {
        private long left = Long.MAX_VALUE;
        private Supplier<HttpFault> tooLarge;
        private boolean ended;

        UntilClose(HttpInput in) {
            super(in);
        }

        @Override
        int read(byte[] into, int from, int length) throws IOException {
            int count = ended ? -1 : in.read(into, from, length);
            ended = count < 0;
            left -= count;
            if (left < 0) {
                throw tooLarge.get();
            }
            return count;
        }

        @Override
        void limit(long most, Supplier<HttpFault> fault) {
            left = most;
            tooLarge = fault;
        }

        @Override
        boolean ended() {
            return ended;
        }
    }

    private static final class Chunked extends BodyReader {
        private long most = Long.MAX_VALUE;
        private Supplier<HttpFault> tooLarge = Chunked::malformed;
        private long announced;
        private long left;
        private boolean begun;
        private boolean ended;

        Chunked(HttpInput in) {
            super(in);
        }

        @Override
        int read(byte[] into, int from, int length) throws IOException {
            if (left == 0 && !ended) {
                nextChunk();
            }
            if (ended) {
                return -1;
            }
            int count = in.read(into, from, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException("the peer left within a chunk");
            }
            left -= count;
            return count;
        }

        @Override
        void limit(long bytes, Supplier<HttpFault> fault) {
            most = bytes;
            tooLarge = fault;
        }

        private void nextChunk() throws IOException {
            if (begun) {
                lineEnd();
            }
            begun = true;
            left = size();
            announced += left;
            if (announced > most) {
                throw tooLarge.get();
            }
            if (left == 0) {
                trailers();
                ended = true;
            }
        }

        private long size() throws IOException {
            long size = 0;
            int digits = 0;
            int digit;
            while ((digit = Character.digit(in.next(), 16)) >= 0) {
                size = size << 4 | digit;
                if (++digits > 8) {
                    throw malformed();
                }
            }
            in.back();
            if (digits == 0) {
                throw malformed();
            }
            extension();
            return size;
        }

        /** Chunk extensions are ignored, but bounded in length. */
        private void extension() throws IOException {
            for (int i = 0; ; i++) {
                int b = in.next();
                if (b == '\r') {
                    in.back();
                    lineEnd();
                    return;
                }
                if (i > MAX_CHUNK_LINE || b == '\n' || (i == 0 && b != ';' && b != ' ' && b != '\t')) {
                    throw malformed();
                }
            }
        }

        private void trailers() throws IOException {
            int total = 0;
            int line = 0;
            while (true) {
                int b = in.next();
                if (b == '\r') {
                    in.back();
                    lineEnd();
                    if (line == 0) {
                        return;
                    }
                    line = 0;
                } else if (b == '\n' || ++total > HttpLimits.HEAD_BYTES) {
                    throw malformed();
                } else {
                    line++;
                }
            }
        }

        private void lineEnd() throws IOException {
            if (in.next() != '\r' || in.next() != '\n') {
                throw malformed();
            }
        }

        private static HttpFault malformed() {
            return new HttpFault(400, "malformed chunk in the body");
        }

        @Override
        boolean ended() {
            return ended;
        }
    }
}
