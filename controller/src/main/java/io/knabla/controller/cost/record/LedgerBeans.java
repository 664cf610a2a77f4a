package io.knabla.controller.cost.record;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.config.Ids;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.Settings;
import io.knabla.controller.cost.ledger.Compactor;
import io.knabla.controller.cost.ledger.Ledger;
import io.knabla.controller.cost.ledger.LedgerCheck;
import io.knabla.controller.cost.ledger.LedgerSettings;
import io.knabla.controller.cost.ledger.Retention;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.segment.LazySegments;
import io.knabla.controller.cost.ledger.segment.LocalSegments;
import io.knabla.controller.cost.ledger.segment.ObjectSegments;
import io.knabla.controller.cost.ledger.segment.Segments;
import io.knabla.controller.home.Home;
import io.knabla.storage.ObjectStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Produces the usage ledger: segments in the home of a laptop, or in the store of a cluster. */
@ApplicationScoped
class LedgerBeans {
    private static final System.Logger LOG = System.getLogger(LedgerBeans.class.getName());
    private static final long SEGMENT_BYTES = 16L << 20;
    private static final Duration GRACE = Duration.ofHours(2);
    private static final String MEMORY_LIMIT = "128MB";
    private static final int THREADS = 2;

    @Produces
    @Singleton
    Segments segments(Settings settings, Home home, ObjectStore store, Ids ids, Clock clock) {
        return switch (settings.cluster().kind()) {
            case Local -> new LazySegments(() -> openLocal(home.usage(), ids.next(), clock));
            case Knative -> new ObjectSegments(store, ids.next(), clock);
        };
    }

    /** A cut record was never acknowledged; of other damage each reading tells. */
    private static Segments openLocal(Path folder, String writer, Clock clock) {
        LocalSegments segments = LocalSegments.open(folder, writer, clock, SEGMENT_BYTES);
        segments.recovered()
                .forEach(damage -> LOG.log(
                        WARNING,
                        "usage of {0} in {1} ({2}): {3}",
                        damage.name(),
                        folder,
                        damage.type(),
                        damage.detail()));
        return segments;
    }

    void close(@Disposes Segments segments) {
        segments.close();
    }

    @Produces
    @Singleton
    Ledger ledger(Segments segments) {
        return new Ledger(segments);
    }

    @Produces
    @Singleton
    LedgerSettings ledgerSettings(Settings settings, Home home) {
        return new LedgerSettings(home.run().resolve("usage"), settings.usage().retention(), GRACE);
    }

    @Produces
    @Singleton
    ParquetEngine.Factory parquet() {
        return ParquetEngine.duckDb(MEMORY_LIMIT, THREADS);
    }

    @Produces
    @Singleton
    UsageReader reader(
            ObjectStore store, Segments segments, ParquetEngine.Factory parquet, LedgerSettings ledgerSettings) {
        return new UsageReader(store, segments, parquet, ledgerSettings.temporaryFolder());
    }

    @Produces
    @Singleton
    LedgerCheck check(ObjectStore store, Segments segments) {
        return new LedgerCheck(store, segments);
    }

    @Produces
    @Singleton
    Compactor compactor(
            ObjectStore store,
            Segments segments,
            ParquetEngine.Factory parquet,
            LedgerSettings ledgerSettings,
            Clock clock,
            Ids ids) {
        return new Compactor(store, segments, parquet, ledgerSettings, clock, ids::next);
    }

    @Produces
    @Singleton
    Retention retention(ObjectStore store, LedgerSettings ledgerSettings, Clock clock) {
        return new Retention(store, ledgerSettings, clock);
    }

    @Produces
    @Singleton
    @Typed({UsageRecorder.class, Lifecycle.class})
    UsageRecorder recorder(Instance<Ledger> ledger, Instance<UsageReader> reader, UsageSource source, Clock clock) {
        return new UsageRecorder(ledger::get, new MergedReplicas(reader::get), source, clock);
    }

    @Produces
    @Singleton
    @Typed({LedgerMaintenance.class, Lifecycle.class})
    LedgerMaintenance maintenance(
            Instance<Compactor> compactor,
            Instance<Retention> retention,
            UsageRecorder recorder,
            Clock clock,
            RandomGenerator random) {
        return new LedgerMaintenance(compactor::get, retention::get, recorder, clock, random);
    }
}
