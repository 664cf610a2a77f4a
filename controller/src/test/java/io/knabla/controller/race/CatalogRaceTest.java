package io.knabla.controller.race;

import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.thorough.Thorough;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that one catalog in S3 is linearizable for two controllers in two JVMs. */
class CatalogRaceTest {
    private static final int UPDATES = Thorough.count("knabla.races", 100, 600);

    @TempDir
    Path folder;

    @Test
    void isLinearizableForTwoControllers() throws Exception {
        try (var server = S3ProxyServer.start(Files.createDirectory(folder.resolve("s3")))) {
            System.out.println("race test: S3Proxy: "
                    + new Race(folder, "s3://" + server.newBucket() + "/race")
                            .run(UPDATES, server.environment(), server.environment()));
        }
    }
}
