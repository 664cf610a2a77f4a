package io.knabla.functions.unit.safetensors;

import io.knabla.storage.Content;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** Concatenation of several buffers as one content, without copying them. */
record BuffersContent(List<ByteBuffer> parts) implements Content {
    @Override
    public long size() {
        return parts.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    @Override
    public InputStream open() {
        return new Joined(parts.stream().map(ByteBuffer::duplicate).toList());
    }

    private static final class Joined extends InputStream {
        private final List<ByteBuffer> parts;
        private int current;

        Joined(List<ByteBuffer> parts) {
            this.parts = parts;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            if (length == 0) {
                return 0;
            }
            while (current < parts.size() && !parts.get(current).hasRemaining()) {
                current++;
            }
            if (current == parts.size()) {
                return -1;
            }
            int count = Math.min(length, parts.get(current).remaining());
            parts.get(current).get(bytes, offset, count);
            return count;
        }
    }
}
