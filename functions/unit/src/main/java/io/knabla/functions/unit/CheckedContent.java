package io.knabla.functions.unit;

import io.knabla.storage.Content;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Content that verifies its digest while it is read: the stream fails at its end if the digest differs. A store keeps
 * nothing of a failed write, so a file that changes while it is read never ends up under a wrong digest.
 */
record CheckedContent(Blob blob, Content content) implements Content {
    @Override
    public long size() {
        return blob.size();
    }

    @Override
    public InputStream open() throws IOException {
        return new Checked(content.open(), blob);
    }

    @Override
    public boolean isNamedByKey() {
        return true;
    }

    private static final class Checked extends FilterInputStream {
        private final Blob expected;
        private final Sha256 sha = new Sha256();
        private long size;
        private boolean ended;

        Checked(InputStream in, Blob expected) {
            super(in);
            this.expected = expected;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = in.read(bytes, offset, length);
            if (read > 0) {
                sha.update(bytes, offset, read);
                size += read;
                // A writer that knows the size may stop here and never read the end of the stream.
                if (size == expected.size()) {
                    end();
                }
            } else if (read < 0) {
                end();
            }
            return read;
        }

        @Override
        public long skip(long count) throws IOException {
            throw new IOException("content that is checked cannot be skipped");
        }

        @Override
        public boolean markSupported() {
            return false;
        }

        private void end() throws IOException {
            if (ended) {
                return;
            }
            ended = true;
            if (!sha.digest().equals(expected.digest())) {
                throw new IOException("content changed while it was read: it is no longer " + expected.digest());
            }
        }
    }
}
