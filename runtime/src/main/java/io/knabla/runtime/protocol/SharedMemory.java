package io.knabla.runtime.protocol;

import java.nio.ByteBuffer;

/** Memory that clients on this machine share with this process, by regions that they have registered. */
@FunctionalInterface
public interface SharedMemory {
    /** No region. */
    SharedMemory NONE = (region, offset, size) -> {
        throw new ProtocolException(
                501,
                "shared memory is not supported here; send tensors in the request and take them from the answer, or set KNABLA_SHARED_MEMORY=1 where the server starts");
    };

    /**
     * The bytes of a part of a region.
     *
     * @throws ProtocolException if there is no such region, or the part is not within it
     */
    ByteBuffer part(String region, long offset, long size);
}
