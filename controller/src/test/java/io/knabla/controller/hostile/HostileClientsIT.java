package io.knabla.controller.hostile;

import static io.knabla.controller.standin.AwaitSupport.await;

import io.knabla.hostile.HostileClientContract;
import io.knabla.hostile.Target;
import io.knabla.hostile.UnfinishedCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks the gateway of a platform that runs as its own process. */
class HostileClientsIT extends HostileClientContract {
    private static final String AWAKE = "awake";
    private static final String ASLEEP = "asleep";

    @TempDir
    static Path home;

    private AttackedPlatform platform;

    Optional<String> token() {
        return Optional.empty();
    }

    /** Options of the platform's JVM. */
    String java() {
        return "";
    }

    /** Command that runs the platform; may be empty. */
    List<String> within() {
        return List.of();
    }

    @Override
    protected Target start() throws Exception {
        platform = AttackedPlatform.start(home, token(), java(), within());
        platform.deploy(AWAKE, "{min: 1, max: 1, concurrency: 16}");
        platform.deploy(ASLEEP, "{min: 0, max: 4, concurrency: 1, idleAfter: 1s}");
        return platform.target("a platform" + (token().isPresent() ? " with a token" : ""), AWAKE);
    }

    /** Queries that take a planner minutes, gigabytes or all of its stack. */
    @Override
    protected List<String> ownAttacks(Target target) {
        return Stream.of(
                        "SELECT 1" + " UNION ALL SELECT 1".repeat(400),
                        "SELECT " + "(".repeat(2000) + "1" + ")".repeat(2000),
                        "SELECT 1 WHERE " + "EXISTS (SELECT 1 WHERE ".repeat(25) + "true" + ")".repeat(25),
                        "SELECT *,*,* FROM (SELECT *,*,* FROM (SELECT *,*,* FROM (SELECT *,*,* FROM prices)))",
                        "SELECT count(*) FROM prices a, prices b, prices c, prices d")
                .map(query -> target.post("/api/v1/costs/sql", "text/plain", query))
                .toList();
    }

    @Override
    protected long mostResidentMiB() {
        // Seen: 350. The rest is for machines with more cores, whose threads hold more.
        return 450;
    }

    @Test
    @Order(0)
    void startsNoReplicaForBodiesThatHaveNotCome() throws Exception {
        await("a function that sleeps").until(() -> platform.replicas(ASLEEP) == 0);
        try (var calls = UnfinishedCalls.hold(platform.target("", ASLEEP), 50)) {
            await("calls without bodies are held")
                    .failFast("a replica starts", () -> platform.replicas(ASLEEP) > 0)
                    .during(Duration.ofSeconds(2))
                    .until(calls::areHeld);
        }
    }

    @AfterAll
    void stop() {
        platform.close();
    }
}
