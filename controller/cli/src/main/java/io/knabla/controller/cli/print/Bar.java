package io.knabla.controller.cli.print;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Progress of one transfer. Thread-safe, because parallel parts feed the same bar. */
public interface Bar extends AutoCloseable {
    /** Shows nothing; for {@code --quiet}. */
    Bar NONE = new Bar() {
        @Override
        public void add(long bytes) {}

        @Override
        public void close() {}
    };

    /** @param bytes transferred since the last call; negative to take back those of a part that starts again */
    void add(long bytes);

    /** Ends the bar; an incomplete transfer is shown as stopped. */
    @Override
    void close();

    /** Wraps {@code in} and counts the bytes read from it. */
    default InputStream watch(InputStream in) {
        return new Counting(in, this);
    }

    /** Stream that reports the bytes read to a bar. */
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
