package io.knabla.controller.cost.record;

import io.knabla.storage.s3.servers.RealServer;
import io.knabla.storage.thorough.Thorough;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Repeats {@link KilledRecordersTest} on third-party S3 servers. */
class KilledRecordersOnRealServers {
    private static final int KILLS = Thorough.count("knabla.usage.recorderKills", 10, 50);
    private static final long SEED = Long.getLong("knabla.seed", System.nanoTime());

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void loseAndDoubleNothing(RealServer which) throws Exception {
        String found = new KilledRecorders(folder, which.shared(), SEED).run(KILLS);
        System.out.printf("kill test: %s, seed %d (-Dknabla.seed): %s%n", which.title(), SEED, found);
    }
}
