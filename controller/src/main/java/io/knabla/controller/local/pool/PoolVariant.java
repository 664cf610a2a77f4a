package io.knabla.controller.local.pool;

import java.util.List;

/**
 * Command line of replica processes that can stand for each other: they have the same Java, program, cache and heap.
 *
 * @param command without the folder for temporary files, which each process has for itself
 */
public record PoolVariant(List<String> command) {
    public PoolVariant {
        command = List.copyOf(command);
    }
}
