package io.knabla.runtime.engine;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Total and used memory of the GPU that this process computes on, as CUDA reports it: NVIDIA's management library
 * counts devices in another order.
 *
 * @param bytes all of it
 * @param used by all processes
 */
public record DeviceMemory(long bytes, long used) {
    private static final int SUCCESS = 0;

    /** Empty where CUDA does not tell, as after the device was lost. */
    static Optional<DeviceMemory> of(CudaDevice device) {
        MemorySegment choose = device.libraries().function(CudaLibraries.Library.RUNTIME, "cudaSetDevice");
        MemorySegment ask = device.libraries().function(CudaLibraries.Library.RUNTIME, "cudaMemGetInfo");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment unused = arena.allocate(JAVA_LONG);
            MemorySegment total = arena.allocate(JAVA_LONG);
            // The device is chosen for each thread; results are 32 bits wide.
            int error = (int) CApi.invoke(choose, device.index(), 0, 0, 0, 0);
            if (error == SUCCESS) {
                error = (int) CApi.invoke(ask, unused.address(), total.address(), 0, 0, 0);
            }
            long bytes = total.get(JAVA_LONG, 0);
            return error == SUCCESS
                    ? Optional.of(new DeviceMemory(bytes, bytes - unused.get(JAVA_LONG, 0)))
                    : Optional.empty();
        }
    }
}
