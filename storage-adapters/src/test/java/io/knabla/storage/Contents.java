package io.knabla.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Contents that misbehave, as clients and networks do. */
public final class Contents {
    private Contents() {}

    /** Announces one size and gives these bytes. */
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

    /** Gives so many bytes, then fails. */
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

    /** So many bytes of one value, made as they are read. */
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
