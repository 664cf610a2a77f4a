package io.knabla.runtime.generation.decode;

import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.runtime.engine.ReservedMemory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory of keys and values: two regions a layer, each [slots, kvHeads, positions, headWidth] numbers. A slot's whole
 * context is reserved; only what is written takes memory.
 */
final class KeyValueSlots implements AutoCloseable {
    private final int heads;
    private final long headBytes;
    private final long rowBytes;
    private final List<ReservedMemory> regions = new ArrayList<>();

    /** @throws IllegalArgumentException if a region would exceed 2 GiB */
    KeyValueSlots(DecoderShape shape, int slots, int positions) {
        heads = shape.kvHeads();
        rowBytes = (long) shape.headWidth() * shape.cache().bytes();
        headBytes = rowBytes * positions;
        long bytes = slots * slotBytes();
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "keys of %d sequences of %d tokens have %d bytes a layer, at most 2147483647 are possible; lower generation.maxSequences or generation.contextLength"
                            .formatted(slots, positions, bytes));
        }
        for (int i = 0; i < 2 * shape.layers(); i++) {
            regions.add(ReservedMemory.of(bytes));
        }
    }

    private long slotBytes() {
        return heads * headBytes;
    }

    /** The regions' parts of adjacent slots, keys and values of each layer in turn. */
    List<ByteBuffer> window(int from, int count) {
        return regions.stream()
                .map(region -> region.segment()
                        .asSlice(from * slotBytes(), count * slotBytes())
                        .asByteBuffer())
                .toList();
    }

    void move(int from, int to, int length) {
        for (ReservedMemory region : regions) {
            for (int head = 0; head < heads; head++) {
                rows(region, to, head, 0, length).copyFrom(rows(region, from, head, 0, length));
            }
        }
        release(from);
    }

    ReservedMemory reserve(int count) {
        return ReservedMemory.of(regions.size() * heads * count * rowBytes);
    }

    ReservedMemory copyOut(int slot, int from, int count) {
        ReservedMemory copy = reserve(count);
        long at = 0;
        for (ReservedMemory region : regions) {
            for (int head = 0; head < heads; head++) {
                MemorySegment rows = rows(region, slot, head, from, count);
                copy.segment().asSlice(at, rows.byteSize()).copyFrom(rows);
                at += rows.byteSize();
            }
        }
        return copy;
    }

    void copyIn(ReservedMemory copy, int slot, int from, int count) {
        long at = 0;
        for (ReservedMemory region : regions) {
            for (int head = 0; head < heads; head++) {
                MemorySegment rows = rows(region, slot, head, from, count);
                rows.copyFrom(copy.segment().asSlice(at, rows.byteSize()));
                at += rows.byteSize();
            }
        }
    }

    void release(int slot) {
        regions.forEach(region -> region.release(slot * slotBytes(), slotBytes()));
    }

    private MemorySegment rows(ReservedMemory region, int slot, int head, int from, int count) {
        long start = slot * slotBytes() + head * headBytes + from * rowBytes;
        return region.segment().asSlice(start, count * rowBytes);
    }

    @Override
    public void close() {
        regions.forEach(ReservedMemory::close);
    }
}
