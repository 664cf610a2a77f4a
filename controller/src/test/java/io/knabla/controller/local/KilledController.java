package io.knabla.controller.local;

import io.knabla.controller.local.pool.PoolSize;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.standin.AwaitSupport;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.standin.StandInCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

/**
 * Main class of a controller process that tests kill; prints the process id of its pool member and the id of its
 * replica once both are ready.
 */
public final class KilledController {
    private KilledController() {}

    public static void main(String... args) throws Exception {
        LocalCluster cluster = StandInCluster.open(Path.of(args[0]), new PoolSize(1, 1));
        cluster.onChange(replica -> {
            if (replica.state() == io.knabla.controller.platform.Replica.State.READY) {
                AwaitSupport.await().until(() -> !cluster.pool().idle().isEmpty());
                System.out.println(cluster.pool().idle().getFirst().process().pid());
                System.out.println(replica.id());
            }
        });
        cluster.start(new ReplicaRequest(Specs.id("digits"), Specs.inference().version(1, Instant.now()), "spot"));
        new CountDownLatch(1).await();
    }

    static String note(Path home, String replica) {
        try {
            Path note = home.resolve("run/replicas").resolve(replica).resolve("pid");
            return Files.exists(note) ? Files.readString(note) : "";
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
