package io.knabla.runtime.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Allocates host memory for the tensors of requests and answers. Thread-safe. */
public sealed interface HostMemory permits PlainMemory, PinnedMemory {
    /** What every device can use. */
    HostMemory PLAIN = new PlainMemory();

    /** Bytes of the largest output that is given memory before its run. */
    int largestOutput();

    /** So many bytes, little-endian, whose content is undefined. */
    ByteBuffer take(int bytes);

    /** Gives back what was taken, which nobody reads or writes from now on; ignores other memory. */
    void give(ByteBuffer memory);

    /** Frees what was given back, and what is lent as soon as that is. */
    void close();

    static ByteBuffer plain(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
