package io.knabla.controller.local;

import io.knabla.controller.config.OomScore;
import io.knabla.controller.local.pool.PoolMember;
import io.knabla.controller.local.pool.ReplicaPool;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.platform.Replica;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Gives one replica its process: a member of the pool if one fits, else a fresh one.
 *
 * @param noter records the process for the next controller
 */
record ReplicaLauncher(ReplicaCommand command, ReplicaPool pool, Consumer<ProcessHandle> noter) {
    MemoryLimit memory() {
        return command.memory();
    }

    ReplicaChild launch() throws IOException {
        Optional<PoolMember> member = command.mayBePooled() ? pool.take(command.variant()) : Optional.empty();
        if (member.isEmpty()) {
            return fresh();
        }
        try {
            member.get().assign(command.environment());
            return new ReplicaChild(
                    member.get().process(),
                    member.get().events(),
                    Replica.Start.POOLED,
                    member.get().cleanUp());
        } catch (IOException ended) {
            member.get().end();
            return fresh();
        }
    }

    ReplicaChild fresh() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command.command());
        builder.environment().clear();
        builder.environment().putAll(command.environment());
        Process process = builder.start();
        OomScore.raise(process);
        return new ReplicaChild(process, process.inputReader(StandardCharsets.UTF_8), Replica.Start.COLD, () -> {});
    }
}
