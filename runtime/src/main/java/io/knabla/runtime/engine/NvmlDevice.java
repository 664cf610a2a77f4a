package io.knabla.runtime.engine;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * Reads utilization and Xid errors of the GPU of this process from NVIDIA's management library (nvml.h). The GPU is
 * found by its UUID, since that library counts GPUs in another order than CUDA.
 *
 * @param library open
 * @param handle the library's own
 */
record NvmlDevice(SymbolLookup library, long handle) {
    private static final int SUCCESS = 0;

    /** The library's own result for a function that it does not have. */
    private static final int FUNCTION_NOT_FOUND = 13;

    private static final int TIMEOUT = 10;
    private static final long WAIT_MILLIS = 60_000;

    /** What events of errors are asked for by. */
    private static final long XID_EVENTS = 8;

    /** Size of nvmlEventData_t, and where the number of the error is in it. */
    private static final long EVENT_BYTES = 32;

    private static final long EVENT_DATA = 16;

    /** For a process whose CUDA libraries are open; empty where the library is absent or does not know the GPU. */
    static Optional<NvmlDevice> of(CudaDevice device) {
        return device.libraries()
                .management()
                .filter(library -> call(library, "nvmlInit_v2", 0, 0, 0) == SUCCESS)
                .flatMap(
                        library -> DeviceProperties.of(device).flatMap(properties -> find(library, properties.uuid())));
    }

    /** A part of a GPU, which MIG makes, has a UUID of its own. */
    private static Optional<NvmlDevice> find(SymbolLookup library, UUID uuid) {
        return Stream.of("GPU-", "MIG-")
                .flatMap(kind -> find(library, kind + uuid).stream())
                .findFirst();
    }

    private static Optional<NvmlDevice> find(SymbolLookup library, String uuid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment found = arena.allocate(JAVA_LONG);
            long text = arena.allocateFrom(uuid).address();
            return call(library, "nvmlDeviceGetHandleByUUID", text, found.address(), 0) == SUCCESS
                    ? Optional.of(new NvmlDevice(library, found.get(JAVA_LONG, 0)))
                    : Optional.empty();
        }
    }

    private static int call(SymbolLookup library, String function, long a, long b, long c) {
        return library.find(function)
                .map(address -> (int) CApi.invoke(address, a, b, c, 0, 0))
                .orElse(FUNCTION_NOT_FOUND);
    }

    /** Empty where the driver does not measure it, as for a part of a GPU. */
    Optional<GpuUtilization> utilization() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment percent = arena.allocate(JAVA_INT, 2);
            return call(library, "nvmlDeviceGetUtilizationRates", handle, percent.address(), 0) == SUCCESS
                    ? Optional.of(new GpuUtilization(
                            percent.getAtIndex(JAVA_INT, 0) / 100.0, percent.getAtIndex(JAVA_INT, 1) / 100.0))
                    : Optional.empty();
        }
    }

    /** Tells errors that the driver reports of the GPU, as long as it reports them; returns when it no longer does. */
    void awaitXids(IntConsumer listener) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(JAVA_LONG);
            if (call(library, "nvmlEventSetCreate", made.address(), 0, 0) != SUCCESS) {
                return;
            }
            long set = made.get(JAVA_LONG, 0);
            MemorySegment event = arena.allocate(EVENT_BYTES, Long.BYTES);
            int result = call(library, "nvmlDeviceRegisterEvents", handle, XID_EVENTS, set);
            while (result == SUCCESS || result == TIMEOUT) {
                result = call(library, "nvmlEventSetWait_v2", set, event.address(), WAIT_MILLIS);
                if (result == SUCCESS) {
                    listener.accept((int) event.get(JAVA_LONG, EVENT_DATA));
                }
            }
        }
    }
}
