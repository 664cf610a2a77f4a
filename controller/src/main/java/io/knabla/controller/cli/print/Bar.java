package io.knabla.controller.cli.print;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** How far one transfer is. Parts that travel side by side feed one bar: safe for many threads. */
public interface Bar extends AutoCloseable {
    /** For those who want no progress. */
    Bar NONE = new Bar() {
        @Override
        public void add(long bytes) {}

        @Override
        public void close() {}
    };

    /** @param bytes that travelled now; below 0 takes back those of a part that starts again */
    void add(long bytes);

    /** Ends the bar; a transfer that lacks bytes is told as one that stopped. */
    @Override
    void close();

    /** Counts what is read from {@code in}. */
    default InputStream watch(InputStream in) {
        return new Counting(in, this);
    }

    /** A stream that feeds a bar. */
    final class Counting extends FilterInputStream {
        private final Bar bar;

        private Counting(InputStream in, Bar bar) {
            super(in);
            this.bar = bar;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            if (value >= 0) {
                bar.add(1);
            }
            return value;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int count = super.read(bytes, from, length);
            if (count > 0) {
                bar.add(count);
            }
            return count;
        }
    }
}
