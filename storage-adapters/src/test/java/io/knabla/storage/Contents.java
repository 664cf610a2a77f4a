package io.knabla.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Contents for tests that fail, announce a wrong size, or are generated on read. */
public final class Contents {
    private Contents() {}

    /** Announces {@code size}, but yields these bytes. */
    public static Content announcing(long size, byte[] bytes) {
        return new Content() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public InputStream open() {
                return new ByteArrayInputStream(bytes);
            }
        };
    }

    /** Yields this many bytes, then fails. */
    public static Content failingAfter(int bytes, IOException failure) {
        return new Content() {
            @Override
            public long size() {
                return bytes * 2L;
            }

            @Override
            public InputStream open() {
                return new InputStream() {
                    private int given;

                    @Override
                    public int read() throws IOException {
                        if (given++ >= bytes) {
                            throw failure;
                        }
                        return 'x';
                    }
                };
            }
        };
    }

    /** Yields {@code size} bytes of one value, generated on read. */
    public static Content filled(byte value, long size) {
        return new Content() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public InputStream open() {
                return new InputStream() {
                    private long left = size;

                    @Override
                    public int read() {
                        return left-- > 0 ? value & 0xff : -1;
                    }

                    @Override
                    public int read(byte[] into, int offset, int length) {
                        if (left <= 0) {
                            return -1;
                        }
                        int n = (int) Math.min(length, left);
                        Arrays.fill(into, offset, offset + n, value);
                        left -= n;
                        return n;
                    }
                };
            }
        };
    }
}
