package io.knabla.controller.cost.record;

import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.thorough.Thorough;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills recorders that share a bucket, on S3Proxy. */
@Tag("faults")
class KilledRecordersTest {
    private static final int KILLS = Thorough.count("knabla.usage.recorderKills", 3, 50);
    private static final long SEED = Long.getLong("knabla.seed", System.nanoTime());

    @TempDir
    Path folder;

    @Test
    void loseAndDoubleNothing() throws Exception {
        try (var server = S3ProxyServer.start(Files.createDirectory(folder.resolve("s3")))) {
            String found = new KilledRecorders(folder, server, SEED).run(KILLS);
            System.out.printf("kill test: S3Proxy, seed %d (-Dknabla.seed): %s%n", SEED, found);
        }
    }
}
