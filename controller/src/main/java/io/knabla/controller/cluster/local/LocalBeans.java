package io.knabla.controller.cluster.local;

import io.knabla.controller.Home;
import io.knabla.controller.On;
import io.knabla.controller.Settings;
import io.knabla.controller.Settings.ClusterKind;
import io.knabla.controller.StoreAccess;
import io.knabla.functions.unit.Units;
import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.storage.ObjectStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;

/** Produces the cluster of the local platform: this machine. */
@ApplicationScoped
class LocalBeans {
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);
    private static final Duration DRAIN_GRACE = Duration.ofSeconds(30);

    @Produces
    @Singleton
    @On(ClusterKind.Local)
    LocalCluster local(Settings settings, Home home, StoreAccess access, ObjectStore store) {
        return LocalCluster.open(
                new LocalSettings(
                        home.path(),
                        ReplicaFolder.of(settings).resolve("replica.args"),
                        settings.java().orElseGet(LocalBeans::ownJava),
                        access,
                        LocalNodes.of(settings.nodes(), Runtime.getRuntime().availableProcessors()),
                        START_DEADLINE,
                        DRAIN_GRACE),
                access.isRemote() ? prefetch(store, home.cache()) : Prefetch.none());
    }

    private static Prefetch prefetch(ObjectStore store, Path cache) {
        var units = new Units(store);
        return Prefetch.by(unit -> units.prefetch(unit, cache, System.getenv(), DownloadListener.NONE));
    }

    void close(@Disposes @On(ClusterKind.Local) LocalCluster cluster) {
        cluster.close();
    }

    private static Path ownJava() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }
}
