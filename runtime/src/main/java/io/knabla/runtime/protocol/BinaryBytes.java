package io.knabla.runtime.protocol;

import java.nio.ByteBuffer;

/** Binary tensors in memory. */
final class BinaryBytes implements BinaryBody {
    private final byte[] bytes;
    private final int end;
    private int at;

    BinaryBytes(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    @Override
    public long left() {
        return end - at;
    }

    @Override
    public void await(int size) {
        // They are there.
    }

    @Override
    public void read(ByteBuffer into) {
        into.put(0, bytes, at, into.limit());
        at += into.limit();
    }

    @Override
    public ByteBuffer take(int size) {
        at += size;
        return ByteBuffer.wrap(bytes, at - size, size);
    }
}
