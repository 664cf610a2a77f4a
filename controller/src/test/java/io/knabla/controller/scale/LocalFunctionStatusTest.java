package io.knabla.controller.scale;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.local.LocalCluster;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.FunctionStatus.Condition;
import io.knabla.controller.platform.LostGpus;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.scale.fleet.SpotRisks;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.standin.StandInCluster;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.storage.memory.MemoryObjectStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests conditions of functions whose replicas are real processes. */
@Timeout(300)
class LocalFunctionStatusTest {
    @TempDir
    Path home;

    @Test
    @EnabledOnOs(OS.LINUX)
    void tellsOfMemoryInTheWordsOfACluster() {
        MapCatalog catalog = new MapCatalog();
        FunctionRecord hungry = Specs.inference()
                .resources(new Resources(Optional.empty(), Optional.of(128L << 20), 0))
                .scaling(1, 1, 1, Duration.ofSeconds(60))
                .record("hungry", Instant.now());
        catalog.put(hungry);
        try (LocalCluster cluster = StandInCluster.open(home);
                var timers = Executors.newSingleThreadScheduledExecutor()) {
            var autoscaler = new Autoscaler(
                    cluster,
                    catalog,
                    new ProvenUnits(home.resolve("proven")),
                    new SpotCapacity(
                            new CapacitySignals(),
                            new PlacementReasons(),
                            NodePrices.UNKNOWN,
                            Duration.ZERO,
                            new Random(7),
                            new SpotRisks(new MemoryObjectStore(), Clock.systemUTC()),
                            new LostGpus(Clock.systemUTC())),
                    Clock.systemUTC(),
                    timers);
            autoscaler.start();
            var statuses = new LocalFunctionStatus(cluster, autoscaler);

            Condition ready = await().until(
                            () -> statuses.of(hungry).conditions().getLast(),
                            condition -> condition.status().equals("False"));

            assertThat(ready)
                    .isEqualTo(
                            new Condition(
                                    "Ready",
                                    "False",
                                    "OOMKilled",
                                    "version 1: a replica was killed, as it used more than its memory of 128Mi. Set spec.resources.memory to more, such as 256Mi, or to auto; ./knabla analyze tells what the model needs."));
            timers.shutdownNow();
        }
    }
}
