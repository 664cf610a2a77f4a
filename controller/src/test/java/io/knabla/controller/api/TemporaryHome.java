package io.knabla.controller.api;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/** Starts a test platform in a temporary home, without a replica program. */
public final class TemporaryHome implements QuarkusTestResourceLifecycleManager {
    private Path home;

    @Override
    public Map<String, String> start() {
        try {
            home = Files.createTempDirectory("knabla-api-test");
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        return Map.of(
                "knabla.home",
                home.toString(),
                "knabla.upload.mebibytes",
                "1",
                "knabla.warm.pool.max",
                "0",
                "knabla.replica.home",
                home.resolve("no-replica").toString());
    }

    @Override
    public void stop() {
        try (Stream<Path> files = Files.walk(home)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
