package io.knabla.controller.kill;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.thorough.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the controller repeatedly with {@code kill -9} while functions are deployed and called: no acknowledged deploy
 * is lost, no version is torn, no replica outlives its controller.
 */
@Tag("faults")
class KillIT {
    /** Longest time before a kill, on a machine that manages a few deploys in it. */
    private static final Duration LIFE = Duration.ofSeconds(4);

    private static final long SEED = Long.getLong("knabla.seed", System.nanoTime());
    private static final int FUNCTIONS = 3;
    private static final int MOST_ROUNDS = 5;

    /** Statuses when a replica takes longer to start than the function's timeout. */
    private static final Set<Integer> STARTING = Set.of(503, 504);

    @TempDir
    Path home;

    private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
    private final AtomicInteger deploys = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();
    private Duration life = LIFE;

    int kills() {
        return Thorough.count("knabla.kills", 4, 100);
    }

    /** Settings of the platform besides its home. */
    Map<String, String> settings() {
        return Map.of();
    }

    boolean holds(String unit) throws IOException {
        String hex = unit.substring("sha256:".length());
        try (var files = Files.walk(home.resolve("store"))) {
            return files.map(Path::toString).anyMatch(path -> path.contains("units") && path.contains(hex));
        }
    }

    /** Folders below the home where killed writers may leave files that the next start sweeps. */
    List<String> swept() {
        return List.of("store/tmp", "run/replicas");
    }

    @Test
    void losesNoAcknowledgedDeployAndLeavesNothingBehind() throws Exception {
        System.out.printf("kill test: %d kills, seed %d (-Dknabla.seed)%n", kills(), SEED);
        var random = new Random(SEED);
        try (var platform = PlatformProcess.start(home, settings())) {
            life = enough(new Client(platform.address()));
        }
        for (int kill = 0; kill < kills() || provesNothing(kill); kill++) {
            killOnce(random);
            PlatformProcess.awaitEndOfReplicas(home);
            // Such a machine may be busier than it was at first.
            life = provesNothing(kill) ? life.multipliedBy(2) : life;
        }
        try (var platform = PlatformProcess.start(home, settings())) {
            everythingIsThereAndAnswers(new Client(platform.address()));
        }
        System.out.printf(
                "kill test: %d deploys acknowledged, %d requests answered, none lost%n", deploys.get(), answers.get());
        assertThat(deploys).hasPositiveValue();
        assertThat(answers).hasPositiveValue();
        PlatformProcess.awaitEndOfReplicas(home);
        assertThat(partialFiles()).isEmpty();
    }

    /** Continues while every run was killed before its first deploy ended: those prove nothing. */
    private boolean provesNothing(int kill) {
        return (deploys.get() == 0 || answers.get() == 0) && kill < MOST_ROUNDS * kills();
    }

    /** Extends the run on a busy machine, because a run without a deploy proves nothing. */
    private Duration enough(Client client) throws IOException {
        long begun = System.nanoTime();
        var model = new Models(home.resolve("models")).documented("first");
        client.upload(model.digest(), model.file());
        client.deploy("first", model.digest(), 5);
        Duration few = Duration.ofNanos(System.nanoTime() - begun).multipliedBy(3);
        return few.compareTo(LIFE) > 0 ? few : LIFE;
    }

    private void killOnce(Random random) throws Exception {
        var platform = PlatformProcess.start(home, settings());
        var client = new Client(platform.address());
        acknowledgedDeploysAreThere(client);
        var work = new Workload(client, new Models(home.resolve("models")), random.nextLong())
                .start(FUNCTIONS, this::acknowledge, answers::incrementAndGet);
        // The time of the kill is random on purpose, so nothing is awaited here.
        Thread.sleep(Duration.ofMillis(random.nextLong(life.toMillis())));
        platform.kill();
        work.stop();
    }

    private void acknowledge(String function, int version) {
        deploys.incrementAndGet();
        acknowledged.merge(function, version, Math::max);
    }

    private void acknowledgedDeploysAreThere(Client client) throws IOException {
        for (var entry : acknowledged.entrySet()) {
            assertThat(client.latestVersion(entry.getKey()))
                    .as("newest version of %s", entry.getKey())
                    .isGreaterThanOrEqualTo(entry.getValue());
        }
    }

    private void everythingIsThereAndAnswers(Client client) throws IOException {
        acknowledgedDeploysAreThere(client);
        for (String function : acknowledged.keySet()) {
            var versions = client.versions(function);
            for (int i = 0; i < versions.size(); i++) {
                assertThat(holds(versions.get(i).get("unit").asText())).isTrue();
            }
            // Some functions have a timeout of 5 s, which a busy machine needs for the start alone.
            var answer = await().until(
                            () -> client.infer(function, Models.REQUEST), one -> !STARTING.contains(one.statusCode()));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
    }

    /** Leftover temporary files; parts of uploads are kept for resuming. */
    private List<Path> partialFiles() throws IOException {
        List<Path> partial = new ArrayList<>();
        for (String folder : swept()) {
            try (var files = Files.walk(home.resolve(folder))) {
                files.filter(Files::isRegularFile).forEach(partial::add);
            }
        }
        return partial;
    }
}
