package io.knabla.controller.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.local.pool.PoolVariant;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a replica that is stopped before its process starts. */
class ReplicaProcessTest {
    @TempDir
    Path folder;

    private final List<State> heard = new ArrayList<>();
    private final AtomicInteger forgotten = new AtomicInteger();

    @Test
    void doesNotStartAfterStop() throws Exception {
        doesNotStartAfter(process -> process.stop(Duration.ofSeconds(1)));
    }

    /** A platform that ends may find a replica that is about to be launched. */
    @Test
    void doesNotStartAfterAnAbort() throws Exception {
        doesNotStartAfter(ReplicaProcess::abort);
    }

    private void doesNotStartAfter(Consumer<ReplicaProcess> end) throws Exception {
        Path marker = folder.resolve("ran");
        try (var timers = Executors.newSingleThreadScheduledExecutor()) {
            var process = new ReplicaProcess(
                    starting(),
                    new ReplicaLog(folder.resolve("log"), 1000),
                    replica -> heard.add(replica.state()),
                    forgotten::incrementAndGet,
                    timers,
                    (_, _, _) -> MemoryGuard.Hold.NONE,
                    _ -> {});

            end.accept(process);
            process.launch(new ReplicaLauncher(command(marker), null, _ -> {}), Duration.ofSeconds(1));
            process.failUnstarted("the controller is stopping");
        }

        assertThat(heard).containsExactly(State.STOPPED);
        assertThat(forgotten)
                .as("once at the end, once for what launch prepared")
                .hasValue(2);
        assertThat(Files.exists(marker)).isFalse();
    }

    private static ReplicaCommand command(Path marker) {
        List<String> command = List.of("touch", marker.toString());
        return new ReplicaCommand(
                new PoolVariant(command), command, Map.of(), MemoryLimit.ofReplica(Optional.empty(), 1));
    }

    private static Replica starting() {
        return new Replica(
                "digits-v1-1",
                new FunctionId("default", "digits"),
                1,
                Optional.empty(),
                "node",
                State.STARTING,
                Optional.empty(),
                "token",
                Map.of(),
                Instant.EPOCH,
                "starting",
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD);
    }
}
