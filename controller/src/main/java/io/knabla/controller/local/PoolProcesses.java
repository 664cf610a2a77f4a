package io.knabla.controller.local;

import io.knabla.controller.config.OomScore;
import io.knabla.controller.local.pool.MemberStarter;
import io.knabla.controller.local.pool.PoolMember;
import io.knabla.controller.local.pool.PoolVariant;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.machine.ProcessMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Starts processes of the replica's program that wait for a unit. They end with the controller, as replicas do.
 *
 * @param environment the same for replicas of all functions
 * @param ids a new one at each call
 */
record PoolProcesses(RunDirectory run, MemoryGuard guard, Map<String, String> environment, Supplier<String> ids)
        implements MemberStarter {
    /**
     * What keeps a waiting process small. The cache's metadata stays a shared mapping of its file, as it needs no
     * relocation (7 MB less of a process's own memory); what the C heap has freed since the start goes back to the
     * system (6 MB less, for about a millisecond of CPU time each interval).
     */
    private static final List<String> SMALL = List.of(
            "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0", "-XX:TrimNativeHeapInterval=10000");

    private static final Duration MEMORY_INTERVAL = Duration.ofSeconds(1);

    @Override
    public PoolMember start(PoolVariant variant, List<String> prefix) throws IOException {
        String id = "pool-" + ids.get();
        Path temp = run.prepare(id);
        try {
            Process process = process(variant, prefix, temp);
            // In its own group from its start, so that all of its memory counts when it has a limit.
            MemoryGuard.Hold hold = guard.hold(
                    process.toHandle(),
                    MemoryLimit.ofReplica(Optional.empty(), ProcessMemory.machineBytes()),
                    MEMORY_INTERVAL);
            run.tryNote(id, process.toHandle());
            return new PoolMember(
                    process, process.inputReader(StandardCharsets.UTF_8), hold::close, () -> run.forget(id));
        } catch (IOException failed) {
            run.forget(id);
            throw failed;
        }
    }

    private Process process(PoolVariant variant, List<String> prefix, Path temp) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(ReplicaCommand.command(variant.command(), temp));
        command.addAll(command.size() - 1, SMALL);
        command.add("pooled");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().putAll(variant.device());
        Process process = builder.start();
        OomScore.raise(process);
        return process;
    }
}
