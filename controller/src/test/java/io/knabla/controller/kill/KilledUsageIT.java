package io.knabla.controller.kill;

import io.knabla.storage.thorough.Thorough;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the controller repeatedly with {@code kill -9} while functions are called: no interval is lost, doubled or
 * overlaps another, and of the counters at most the requests of the last seconds are missing.
 */
@Tag("faults")
class KilledUsageIT {
    private static final long SEED = Long.getLong("knabla.seed", System.nanoTime());

    @TempDir
    Path home;

    @Test
    void losesNoIntervalAndFewCounts() throws Exception {
        int kills = Thorough.count("knabla.usage.kills", 3, 200);
        System.out.printf("kill test: %d kills while usage is recorded, seed %d (-Dknabla.seed)%n", kills, SEED);
        var random = new Random(SEED);
        var lives = new RecordedLives(home, Map.of());
        lives.deploy();
        for (int kill = 0; kill < kills; kill++) {
            lives.start();
            lives.awaitKill(kill, random);
            lives.kill();
        }
        lives.end();

        var usage = UsageOf.home(home);
        lives.check(usage);
        UsageOf.costsAddUp(usage);
    }
}
