package io.knabla.runtime.engine;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads the name and the UUID of a GPU from CUDA 13's struct cudaDeviceProp.
 *
 * @param name such as {@code NVIDIA L4}; may be blank
 */
record DeviceProperties(String name, UUID uuid) {
    private static final int SUCCESS = 0;

    /** More than the 1008 bytes that CUDA writes; they begin with the name. */
    private static final long BYTES = 4096;

    private static final long UUID_AT = 256;

    /** Empty where CUDA does not tell. */
    static Optional<DeviceProperties> of(CudaDevice device) {
        MemorySegment ask = device.libraries().function(CudaLibraries.Library.RUNTIME, "cudaGetDeviceProperties");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = arena.allocate(BYTES, Long.BYTES);
            int error = (int) CApi.invoke(ask, properties.address(), device.index(), 0, 0, 0);
            var words = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
            return error == SUCCESS
                    ? Optional.of(new DeviceProperties(
                            properties.getString(0),
                            new UUID(properties.get(words, UUID_AT), properties.get(words, UUID_AT + Long.BYTES))))
                    : Optional.empty();
        }
    }
}
