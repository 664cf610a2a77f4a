package io.knabla.storage.s3;

import io.knabla.storage.Content;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/** Contents of any size, generated on read, that differ at every position. */
final class PatternedContent {
    private PatternedContent() {}

    /** Content of a key that names it. */
    static Content named(long size) {
        return Content.namedByKey(of(size, 0));
    }

    /** @param seed another seed gives different bytes at every position */
    static Content of(long size, long seed) {
        return new Content() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public InputStream open() {
                return new InputStream() {
                    private long at;

                    @Override
                    public int read() {
                        return at == size ? -1 : at(at++) & 0xff;
                    }

                    @Override
                    public int read(byte[] into, int offset, int length) {
                        if (at == size && length > 0) {
                            return -1;
                        }
                        int n = (int) Math.min(length, size - at);
                        for (int i = 0; i < n; i++) {
                            into[offset + i] = at(at++);
                        }
                        return n;
                    }
                };
            }

            private byte at(long place) {
                long mixed = (place + seed * 0x51_7cc1L) * 0x9E37_79B9_7F4A_7C15L;
                return (byte) (mixed >>> 40);
            }
        };
    }

    /** Reports the position after every read, for the first {@code times} that the content is opened. */
    static Content watched(Content content, LongConsumer read, int times) {
        AtomicInteger opened = new AtomicInteger();
        return new Content() {
            @Override
            public long size() {
                return content.size();
            }

            @Override
            public InputStream open() throws IOException {
                InputStream in = content.open();
                return opened.incrementAndGet() > times ? in : new Watched(in, read);
            }

            @Override
            public boolean isNamedByKey() {
                return content.isNamedByKey();
            }
        };
    }

    static Content watched(Content content, LongConsumer read) {
        return watched(content, read, Integer.MAX_VALUE);
    }

    private static final class Watched extends FilterInputStream {
        private final LongConsumer watcher;
        private long count;

        Watched(InputStream in, LongConsumer watcher) {
            super(in);
            this.watcher = watcher;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int n = super.read(into, offset, length);
            if (n > 0) {
                count += n;
                watcher.accept(count);
            }
            return n;
        }
    }
}
