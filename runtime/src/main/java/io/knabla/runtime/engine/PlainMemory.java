package io.knabla.runtime.engine;

import java.nio.ByteBuffer;

/** Allocates memory that the garbage collector frees. */
record PlainMemory() implements HostMemory {
    /** Above this size the run dwarfs the allocation, and pooling would waste memory. */
    static final int LARGEST_POOLED = 256 << 10;

    @Override
    public int largestOutput() {
        return LARGEST_POOLED;
    }

    @Override
    public ByteBuffer take(int bytes) {
        return HostMemory.plain(bytes);
    }

    @Override
    public void give(ByteBuffer memory) {}

    @Override
    public void close() {}
}
