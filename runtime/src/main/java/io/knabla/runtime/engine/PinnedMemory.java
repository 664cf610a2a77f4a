package io.knabla.runtime.engine;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Allocates page-locked host memory, which a GPU reads and writes by DMA: plain memory the driver copies into such
 * memory first, while the process waits. Page-locking is slow, so blocks, of powers of two, are used again until the
 * end.
 */
final class PinnedMemory implements HostMemory {
    /** The system cannot move it or write it to disk, so there is a bound; what is beyond is plain memory. */
    static final long MOST_BYTES = 64L << 20;

    static final int LARGEST_BLOCK = 16 << 20;

    /** A page of the system. */
    private static final int LEAST_BLOCK = 4 << 10;

    private static final int SUCCESS = 0;

    private final CudaDevice device;
    private final Map<Integer, Deque<Long>> idle = new HashMap<>();

    /** Sizes of blocks in use, by their address. */
    private final Map<Long, Integer> lent = new HashMap<>();

    private long bytes;
    private boolean exhausted;
    private boolean closed;

    /** @param device whose libraries will be open when memory is taken */
    PinnedMemory(CudaDevice device) {
        this.device = device;
    }

    @Override
    public int largestOutput() {
        return LARGEST_BLOCK;
    }

    @Override
    public synchronized ByteBuffer take(int wanted) {
        if (wanted <= 0 || wanted > LARGEST_BLOCK) {
            return HostMemory.plain(wanted);
        }
        int size = size(wanted);
        Deque<Long> waiting = idle.getOrDefault(size, new ArrayDeque<>());
        long address = waiting.isEmpty() ? allocate(size) : waiting.pop();
        if (address == 0) {
            return HostMemory.plain(wanted);
        }
        lent.put(address, size);
        return CApi.memory(address, wanted).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int size(int wanted) {
        return Math.max(LEAST_BLOCK, Integer.highestOneBit(2 * wanted - 1));
    }

    /** Zero where the bound is reached, or the system gives no more. */
    private long allocate(int size) {
        if (exhausted || closed || bytes + size > MOST_BYTES) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(JAVA_LONG);
            // The device is chosen for each thread; without, one more context could be made on another.
            int error = call("cudaSetDevice", device.index(), 0);
            if (error == SUCCESS) {
                error = call("cudaHostAlloc", made.address(), size);
            }
            if (error != SUCCESS) {
                exhausted = true;
                // Else the engine would take it for an error of its own next call.
                call("cudaGetLastError", 0, 0);
                return 0;
            }
            bytes += size;
            return made.get(JAVA_LONG, 0);
        }
    }

    private int call(String function, long a, long b) {
        MemorySegment address = device.libraries().function(CudaLibraries.Library.RUNTIME, function);
        return (int) CApi.invoke(address, a, b, 0, 0, 0);
    }

    @Override
    public synchronized void give(ByteBuffer memory) {
        if (!memory.isDirect()) {
            return;
        }
        long address = MemorySegment.ofBuffer(memory.duplicate().clear()).address();
        Integer size = lent.remove(address);
        if (size == null) {
            return;
        }
        if (closed) {
            free(address);
        } else {
            idle.computeIfAbsent(size, _ -> new ArrayDeque<>()).push(address);
        }
    }

    private void free(long address) {
        call("cudaFreeHost", address, 0);
    }

    @Override
    public synchronized void close() {
        closed = true;
        idle.values().forEach(blocks -> blocks.forEach(this::free));
        idle.clear();
    }
}
