package io.knabla.runtime.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Asks CUDA for the name of a GPU. */
final class DeviceName {
    private static final int SUCCESS = 0;

    /** CUDA 13 writes 1008 bytes, which begin with the name. */
    private static final long PROPERTIES_BYTES = 4096;

    private DeviceName() {}

    /** Empty where CUDA does not tell. */
    static Optional<String> of(CudaDevice device) {
        MemorySegment ask = device.libraries().function(CudaLibraries.Library.RUNTIME, "cudaGetDeviceProperties");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = arena.allocate(PROPERTIES_BYTES, Long.BYTES);
            int error = (int) CApi.invoke(ask, properties.address(), device.index(), 0, 0, 0);
            return error == SUCCESS
                    ? Optional.of(properties.getString(0)).filter(name -> !name.isBlank())
                    : Optional.empty();
        }
    }
}
