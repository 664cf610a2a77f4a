package io.knabla.controller.local.pool;

import java.util.List;
import java.util.Map;

/**
 * Replica processes that can stand for each other: they have the same Java, program, cache and heap, and compute on the
 * same device.
 *
 * @param command command line without the folder for temporary files, which each process has for itself
 * @param device variables by which a process computes on a GPU; none for the CPU
 */
public record PoolVariant(List<String> command, Map<String, String> device) {
    public PoolVariant {
        command = List.copyOf(command);
        device = Map.copyOf(device);
    }

    /** On the CPU. */
    public PoolVariant(List<String> command) {
        this(command, Map.of());
    }

    public boolean isOnCpu() {
        return device.isEmpty();
    }
}
