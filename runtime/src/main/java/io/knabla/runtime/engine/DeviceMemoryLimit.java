package io.knabla.runtime.engine;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** How much of a GPU's memory each session of a model may hold. */
public sealed interface DeviceMemoryLimit {
    /** No limit. */
    DeviceMemoryLimit ALL = new All();

    /** As much as the device has. */
    record All() implements DeviceMemoryLimit {}

    /** @param bytes at least 1 */
    record Fixed(long bytes) implements DeviceMemoryLimit {}

    /** One of so many equal parts of the device, less what CUDA itself takes of it. */
    record Share(int parts) implements DeviceMemoryLimit {
        /**
         * Context and workspaces of a process, assumed: PyTorch's context has 287 MB with lazy loading of kernels and
         * 667 MB without (PyTorch, pull request 86509).
         */
        private static final long RESERVE = 600L << 20;

        private long bytes(DeviceMemory device) {
            long own = device.bytes() / parts - RESERVE;
            if (own <= 0) {
                throw EngineException.unloadable(
                        "1/%d of this GPU's %,d MiB is not more than the %d MiB that CUDA takes for itself; ask for a larger share in resources.gpu, or for a larger GPU"
                                .formatted(parts, device.bytes() >> 20, RESERVE >> 20));
            }
            return own;
        }
    }

    /**
     * In bytes; empty for no limit, and where the device does not tell its memory.
     *
     * @throws EngineException {@code UNLOADABLE} if the share is too small for anything
     */
    default OptionalLong bytes(Supplier<Optional<DeviceMemory>> device) {
        return switch (this) {
            case All() -> OptionalLong.empty();
            case Fixed(var bytes) -> OptionalLong.of(bytes);
            case Share share ->
                device.get().map(memory -> OptionalLong.of(share.bytes(memory))).orElseGet(OptionalLong::empty);
        };
    }
}
