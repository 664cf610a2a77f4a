package io.knabla.runtime.prefill;

import java.nio.ByteBuffer;
import java.util.List;

/** Copies the bytes of an answer into the memory of blocks, one block after the other. */
final class BlockFill {
    private final List<ByteBuffer> room;
    private int full;

    BlockFill(List<ByteBuffer> room) {
        this.room = room;
    }

    boolean isFull() {
        return full == room.size();
    }

    /** Blocks that are full. */
    int blocks() {
        return full;
    }

    /** Adds the first bytes of a buffer; those that do not fit are dropped. */
    void put(byte[] bytes, int length) {
        for (int from = 0; from < length && !isFull(); ) {
            ByteBuffer block = room.get(full);
            int count = Math.min(block.remaining(), length - from);
            block.put(bytes, from, count);
            from += count;
            full += block.hasRemaining() ? 0 : 1;
        }
    }
}
