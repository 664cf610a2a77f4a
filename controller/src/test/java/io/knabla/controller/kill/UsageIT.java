package io.knabla.controller.kill;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the assembled platform records of a function that is called, sleeps, and is called again. */
@Timeout(600)
class UsageIT {
    private static final int CALLS = 40;
    private static final int ELEMENTS = 4 * 16;

    @TempDir
    Path home;

    @Test
    void recordsNodesReplicasAndRequests() throws Exception {
        Instant before = Instant.now();
        // Without a pool, so that no process is left while the function sleeps.
        try (var platform = PlatformProcess.start(home, Map.of("KNABLA_WARM_POOL_MAX", "0"))) {
            var client = new Client(platform.address());
            var model = new Models(home.resolve("models")).documented("usage");
            client.upload(model.digest(), model.file());
            client.deploy("add-sub", model.digest(), 60);
            call(client);
            await("it sleeps").until(() -> PlatformProcess.replicasOf(home).isEmpty());
            call(client);
            assertThat(loadedClasses(platform.process().pid()))
                    .contains("io.knabla.controller.cost.record.UsageRecorder")
                    .doesNotContain("org.duckdb");
        }
        Usage usage = UsageOf.home(home);
        Instant after = Instant.now();

        assertThat(usage.damages()).isEmpty();
        Map<String, NodeInterval> nodes =
                usage.nodes().stream().collect(Collectors.toMap(NodeInterval::id, Function.identity()));
        assertThat(nodes.values()).hasSize(4).allSatisfy(node -> {
            assertThat(node.end()).isEqualTo(NodeEnd.RELEASED);
            assertThat(node.time().start()).isBetween(before, after);
            assertThat(node.time().end().orElseThrow()).isBetween(before, after);
        });
        assertThat(usage.replicas()).hasSizeGreaterThanOrEqualTo(2).allSatisfy(replica -> {
            NodeInterval node = nodes.get(replica.node());
            assertThat(replica.end()).isEqualTo(ReplicaEnd.STOPPED);
            assertThat(replica.time().start()).isAfterOrEqualTo(node.time().start());
            assertThat(replica.time().end().orElseThrow())
                    .isBeforeOrEqualTo(node.time().end().orElseThrow());
            assertThat(replica.startPhases()).containsOnlyKeys("place", "fetch", "boot", "load");
            assertThat(replica.used().vcpus()).isPositive();
            assertThat(replica.used().memoryBytes()).isGreaterThan(1 << 20);
            assertThat(UsageOf.byReplica(usage).getOrDefault(replica.id(), Work.NONE))
                    .isEqualTo(replica.work());
        });
        Work all = usage.replicas().stream().map(ReplicaInterval::work).reduce(Work.NONE, Work::plus);
        assertThat(all.succeeded()).isEqualTo(2 * CALLS);
        assertThat(all.elements()).isEqualTo(2L * CALLS * ELEMENTS);
        assertThat(all.failed()).isZero();
    }

    private static void call(Client client) throws Exception {
        for (int i = 0; i < CALLS; i++) {
            assertThat(client.infer("add-sub", Models.REQUEST).statusCode()).isEqualTo(200);
        }
    }

    private static String loadedClasses(long pid) throws Exception {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(pid),
                        "VM.class_hierarchy")
                .redirectErrorStream(true)
                .start();
        String classes = new String(jcmd.getInputStream().readAllBytes());
        assertThat(jcmd.waitFor()).as(classes).isZero();
        return classes;
    }
}
