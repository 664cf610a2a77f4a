package io.knabla.storage.s3.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.proxy.SeededFaults.Kind;
import io.knabla.storage.thorough.Thorough;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks under network faults that no acknowledged write is lost and no partial object is visible. */
@Tag("faults")
class FaultScenariosTest {
    private static final int SCENARIOS = Thorough.count("knabla.faults.scenarios", 100, 1000);
    private static final long SEED = Long.getLong("knabla.faults.seed", System.nanoTime());

    @TempDir
    Path folder;

    @Test
    void observationsAreLinearizable() throws Exception {
        System.out.printf("fault test: seed %d (-Dknabla.faults.seed)%n", SEED);
        try (var server = S3ProxyServer.start(folder)) {
            Scenarios.Summary summary = Scenarios.run(server, SEED, SCENARIOS);
            System.out.println("fault test: S3Proxy: " + summary);
            assertThat(summary.problems()).isEmpty();
            if (SCENARIOS >= 100) {
                assertThat(summary.faults()).containsOnlyKeys(Kind.values());
                assertThat(summary.unknown()).isPositive().isLessThan(summary.operations() / 5);
            }
        }
    }
}
