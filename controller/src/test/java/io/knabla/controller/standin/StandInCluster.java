package io.knabla.controller.standin;

import io.knabla.controller.config.ReplicaAccess;
import io.knabla.controller.home.ReplicaArguments;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.local.LocalCluster;
import io.knabla.controller.local.LocalSettings;
import io.knabla.controller.local.pool.PoolSize;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Creates local clusters with real processes that run {@link StandInReplica}. */
public final class StandInCluster {
    public static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private StandInCluster() {}

    public static final List<Node> NODES = List.of(
            new Node("od", Pool.cpu, CapacityType.OnDemand, "local", "a", 8),
            new Node("spot", Pool.cpu, CapacityType.Spot, "local", "b", 8));

    public static LocalCluster open(Path home) {
        return open(home, NODES);
    }

    public static LocalCluster open(Path home, List<Node> nodes) {
        return LocalCluster.open(settings(home, Duration.ofSeconds(60), nodes));
    }

    /** A cluster that fills its pool at once. */
    public static LocalCluster open(Path home, PoolSize pool) {
        LocalCluster cluster = LocalCluster.open(settings(home, Duration.ofSeconds(60)), pool);
        cluster.pool().start(Duration.ZERO);
        return cluster;
    }

    public static LocalSettings settings(Path home, Duration startDeadline) {
        return settings(home, startDeadline, NODES);
    }

    private static LocalSettings settings(Path home, Duration startDeadline, List<Node> nodes) {
        return new LocalSettings(
                home,
                arguments(home),
                JAVA,
                new StoreAccess("file:///nowhere", Map.of()),
                nodes,
                new ReplicaAccess(),
                startDeadline,
                Duration.ofMinutes(1));
    }

    /** Quotes the paths, because a folder's name may contain spaces. */
    private static Path arguments(Path home) {
        try {
            Path classes = Path.of(StandInReplica.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Files.createDirectories(home.resolve("cache"));
            for (ReplicaArguments program : ReplicaArguments.values()) {
                Files.writeString(
                        home.resolve(program.file()),
                        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto\n-cp \"%s\"\n%s\n"
                                .formatted(classes, StandInReplica.class.getName()));
            }
            return home.resolve(ReplicaArguments.Graphs.file());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
