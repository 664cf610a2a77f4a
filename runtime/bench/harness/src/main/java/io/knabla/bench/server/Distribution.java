package io.knabla.bench.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Locates the build outputs that are measured: replica, controller, Quarkus baseline. */
public record Distribution(Path root, Path replicaHome, Path java) {
    public static Distribution ofEnvironment() {
        Path root = folder("KNABLA_DIST").orElse(Path.of("").toAbsolutePath());
        return new Distribution(
                root,
                folder("KNABLA_REPLICA_HOME").orElse(root.resolve("runtime/target/replica")),
                Path.of(System.getProperty("java.home"), "bin", "java"));
    }

    /** That of another checkout, which was built for benchmarks too. */
    public static Distribution ofCheckout(Path root) {
        Path home = root.toAbsolutePath();
        return new Distribution(
                home, home.resolve("runtime/target/replica"), ofEnvironment().java());
    }

    private static Optional<Path> folder(String variable) {
        return Optional.ofNullable(System.getenv(variable))
                .filter(value -> !value.isBlank())
                .map(value -> Path.of(value).toAbsolutePath());
    }

    Path replicaArguments() {
        return built(replicaHome.resolve("replica.args"));
    }

    /** Of pool members, and of replicas of texts. */
    Path readerArguments() {
        Path own = replicaHome.resolve("replica-all.args");
        // Builds to compare with may be from before it.
        return Files.exists(own) ? own : replicaArguments();
    }

    /** This program, as it was built with the rest. */
    public Path harness() {
        return built(root.resolve("runtime/bench/harness/target/harness.jar"));
    }

    public Path baseline() {
        return built(root.resolve("runtime/bench/quarkus-baseline/target/quarkus-app/quarkus-run.jar"));
    }

    Path controllerArguments() {
        return built(root.resolve("controller/target/quarkus-app/controller.args"));
    }

    private static Path built(Path file) {
        if (!Files.exists(file)) {
            throw new IllegalStateException(
                    "%s is not there: build first with mvn package -Pbench -DskipTests, or use ./knabla bench, which does"
                            .formatted(file));
        }
        return file;
    }
}
