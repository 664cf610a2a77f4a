package io.knabla.runtime.engine;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/**
 * Native memory of zeros that takes room only where it is written, page by page. Safe for use by several threads, but
 * not after it is closed.
 */
public final class ReservedMemory implements AutoCloseable {
    private static final MemorySegment CALLOC = function("calloc");
    private static final MemorySegment FREE = function("free");
    private static final MemorySegment ADVISE = function("madvise");

    /** Of every kernel that we run on: a multiple of smaller pages. */
    private static final long PAGE = 64 << 10;

    private static final int ADVICE_FREE = 4;
    private static final int ADVICE_SMALL_PAGES = 15;

    private final MemorySegment memory;

    private ReservedMemory(MemorySegment memory) {
        this.memory = memory;
    }

    /**
     * @param bytes 1 or more
     * @throws IllegalStateException if the process may not reserve so much
     */
    @SuppressWarnings("restricted")
    public static ReservedMemory of(long bytes) {
        long address = CApi.invoke(CALLOC, 1, bytes, 0, 0, 0);
        if (address == 0) {
            throw new IllegalStateException(
                    "cannot reserve %d MiB of memory; lower generation.contextLength or generation.maxSequences"
                            .formatted(bytes >> 20));
        }
        var reserved = new ReservedMemory(MemorySegment.ofAddress(address).reinterpret(bytes));
        // A huge page would take 2 MiB where one token is written.
        reserved.advise(0, bytes, ADVICE_SMALL_PAGES);
        return reserved;
    }

    public MemorySegment segment() {
        return memory;
    }

    /** Gives the whole pages of a part back; what is in the part then is undefined until it is written. */
    public void release(long from, long bytes) {
        advise(from, bytes, ADVICE_FREE);
    }

    private void advise(long from, long bytes, int advice) {
        long start = memory.address() + from;
        long first = Math.ceilDiv(start, PAGE) * PAGE;
        long end = Math.floorDiv(start + bytes, PAGE) * PAGE;
        if (end > first) {
            CApi.invoke(ADVISE, first, end - first, advice, 0, 0);
        }
    }

    @Override
    public void close() {
        CApi.invoke(FREE, memory.address(), 0, 0, 0, 0);
    }

    private static MemorySegment function(String name) {
        return Linker.nativeLinker().defaultLookup().find(name).orElseThrow();
    }
}
