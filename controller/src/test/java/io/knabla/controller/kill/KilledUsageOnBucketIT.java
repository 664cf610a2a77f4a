package io.knabla.controller.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.Usage;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.thorough.Thorough;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two controllers share a bucket and record what they do while functions are called at both. One of them, chosen by the
 * seed, is killed with {@code kill -9} and started again, many times; then both merge their usage into the bucket at
 * the same time. No interval is lost or doubled, and of the counters few are missing; see {@link KilledUsageIT}.
 */
@Tag("faults")
class KilledUsageOnBucketIT {
    private static final long SEED = Long.getLong("knabla.seed", System.nanoTime());

    @TempDir
    Path folder;

    private final Map<String, String> settings = new HashMap<>();
    private List<Path> homes;
    private List<RecordedLives> controllers;
    private S3ProxyServer server;

    @BeforeEach
    void serve() throws Exception {
        server = S3ProxyServer.start(Files.createDirectory(folder.resolve("buckets")));
        settings.putAll(server.environment());
        settings.put("KNABLA_STORE", "s3://" + server.newBucket() + "/platform");
        // A starting platform gives up on a bucket after 10 s; a busy machine may stall for longer.
        settings.put("KNABLA_S3_REQUEST_TIMEOUT", "1m");
        settings.put("KNABLA_S3_CALL_TIMEOUT", "3m");
        homes = List.of(
                Files.createDirectory(folder.resolve("first")), Files.createDirectory(folder.resolve("second")));
        controllers =
                homes.stream().map(home -> new RecordedLives(home, settings)).toList();
    }

    @AfterEach
    void stop() {
        controllers.forEach(RecordedLives::stop);
        server.close();
    }

    @Test
    void losesNoIntervalAndFewCounts() throws Exception {
        killWhileTheOtherRaces(Thorough.count("knabla.usage.bucketKills", 2, 50));

        List<Usage> recorded = mergeAtOnce();
        Usage merged = UsageOf.store(settings, folder);
        assertThat(merged.rows())
                .containsExactlyInAnyOrderElementsOf(recorded.stream()
                        .flatMap(usage -> usage.rows().stream())
                        .toList());
        for (int i = 0; i < homes.size(); i++) {
            controllers.get(i).check(UsageOf.only(homes.get(i), merged));
        }
        UsageOf.costsAddUp(merged);
    }

    private void killWhileTheOtherRaces(int kills) throws Exception {
        System.out.printf(
                "kill test: %d kills while two controllers record usage on one bucket, seed %d (-Dknabla.seed)%n",
                kills, SEED);
        var random = new Random(SEED);
        controllers.getFirst().deploy();
        for (RecordedLives controller : controllers) {
            controller.start();
        }
        for (int kill = 0; kill < kills; kill++) {
            RecordedLives victim = controllers.get(random.nextInt(controllers.size()));
            victim.awaitKill(kill, random);
            victim.kill();
            victim.start();
        }
        for (RecordedLives controller : controllers) {
            controller.kill();
            controller.end();
        }
    }

    /** Returns what each home recorded. */
    private List<Usage> mergeAtOnce() throws Exception {
        List<Usage> recorded = homes.stream()
                .map(home -> UsageOf.only(home, UsageOf.home(home, settings)))
                .toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(homes.size())) {
            List<Future<Integer>> merges = homes.stream()
                    .map(home -> threads.submit(() -> UsageOf.merge(home, settings)))
                    .toList();
            for (Future<Integer> merge : merges) {
                assertThat(merge.get()).isPositive();
            }
        }
        return recorded;
    }
}
