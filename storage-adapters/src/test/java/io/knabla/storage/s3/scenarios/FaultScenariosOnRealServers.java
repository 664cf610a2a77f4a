package io.knabla.storage.s3.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.s3.proxy.SeededFaults.Kind;
import io.knabla.storage.s3.servers.RealServer;
import io.knabla.storage.thorough.Thorough;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** As {@link FaultScenariosTest}, on third-party servers; {@code ./knabla test s3} starts it. */
class FaultScenariosOnRealServers {
    /** For each server, a fifth of a property that is for S3Proxy; a hundred show every kind of fault. */
    private static final int SCENARIOS = Math.ceilDiv(Thorough.count("knabla.faults.scenarios", 500, 1000), 5);

    private static final long SEED = Long.getLong("knabla.faults.seed", System.nanoTime());

    @ParameterizedTest
    @EnumSource
    void observationsAreLinearizable(RealServer which) throws Exception {
        System.out.printf("fault test: seed %d (-Dknabla.faults.seed)%n", SEED);
        Scenarios.Summary summary = Scenarios.run(which.shared(), SEED, SCENARIOS);
        System.out.printf("fault test: %s: %s%n", which.title(), summary);
        assertThat(summary.problems()).isEmpty();
        if (SCENARIOS >= 100) {
            assertThat(summary.faults()).containsOnlyKeys(Kind.values());
        }
    }
}
