package io.knabla.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Limits a stream to a number of bytes. */
public final class LimitedInputStream extends FilterInputStream {
    private long left;

    public LimitedInputStream(InputStream in, long length) {
        super(in);
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        if (left == 0) {
            return -1;
        }
        int read = in.read();
        if (read >= 0) {
            left--;
        }
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (left == 0 && length > 0) {
            return -1;
        }
        int read = in.read(bytes, offset, (int) Math.min(length, left));
        if (read > 0) {
            left -= read;
        }
        return read;
    }

    @Override
    public long skip(long count) throws IOException {
        // A file's skip may go beyond its end; the next read then returns -1, as required.
        long skipped = in.skip(Math.min(count, left));
        left -= skipped;
        return skipped;
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(in.available(), left);
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
