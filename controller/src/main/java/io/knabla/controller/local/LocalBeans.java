package io.knabla.controller.local;

import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.ReplicaAccess;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.home.Home;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.local.pool.PoolSize;
import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.LostGpus;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.storage.ObjectStore;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Produces the cluster of the local platform: this machine. */
@ApplicationScoped
class LocalBeans {
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);
    private static final Duration DRAIN_GRACE = Duration.ofSeconds(30);

    /** The controller's own start and its first requests come first. */
    private static final Duration POOL_DELAY = Duration.ofSeconds(5);

    @Produces
    @Singleton
    LocalSettings localSettings(Settings settings, Home home, StoreAccess store, ReplicaAccess access) {
        return new LocalSettings(
                home.path(),
                ReplicaProgramFolder.of(settings).resolve("replica.args"),
                settings.java().orElseGet(LocalBeans::ownJava),
                store,
                nodes(settings),
                access,
                START_DEADLINE,
                DRAIN_GRACE);
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Local)
    LocalCluster local(
            LocalSettings local,
            Settings settings,
            ObjectStore store,
            MemoryGuard guard,
            LostGpus lost,
            MeterRegistry meters) {
        Settings.PoolSettings pool = settings.warm().pool();
        LocalCluster cluster = LocalCluster.open(
                local,
                local.store().isRemote() ? prefetch(store, local.cache()) : UnitPrefetcher.none(),
                guard,
                new PoolSize(pool.min().orElse(Math.min(1, pool.max())), pool.max()));
        cluster.onGpuError(lost::told);
        PoolGauges.register(cluster.pool(), meters);
        cluster.pool().start(POOL_DELAY);
        return cluster;
    }

    private static List<Node> nodes(Settings settings) {
        List<Node> nodes = LocalNodes.of(settings.nodes(), Runtime.getRuntime().availableProcessors());
        return settings.nodes().isEmpty() ? LocalGpu.joined(nodes, System.getenv()) : nodes;
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Local)
    UsageSource usage(@ForPlatform(ClusterKind.Local) LocalCluster cluster) {
        return cluster.usage();
    }

    @Produces
    @Singleton
    MemoryGuard guard() {
        return MemoryGuards.forThisSystem();
    }

    void close(@Disposes MemoryGuard guard) {
        guard.close();
    }

    private static UnitPrefetcher prefetch(ObjectStore store, Path cache) {
        var units = new UnitStore(store);
        return UnitPrefetcher.by(unit -> units.prefetch(unit, cache, System.getenv(), DownloadListener.NONE));
    }

    void close(@Disposes @ForPlatform(ClusterKind.Local) LocalCluster cluster) {
        cluster.close();
    }

    private static Path ownJava() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }
}
