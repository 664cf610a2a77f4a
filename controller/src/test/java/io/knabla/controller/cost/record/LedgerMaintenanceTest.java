package io.knabla.controller.cost.record;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.Compactor;
import io.knabla.controller.cost.ledger.Ledger;
import io.knabla.controller.cost.ledger.LedgerSettings;
import io.knabla.controller.cost.ledger.Retention;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.segment.LocalSegments;
import io.knabla.controller.cost.ledger.segment.Segments;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestMinute;
import io.knabla.controller.usage.Work;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.setup.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerMaintenanceTest {
    private static final ParquetEngine.Factory DUCKDB = ParquetEngine.duckDb("128MB", 1);
    private static final Instant START = Instant.parse("2026-11-23T09:10:00Z");

    @TempDir
    Path folder;

    private final FakePlatform platform = new FakePlatform(START);
    private volatile Instant now = START;
    private final InstantSource clock = () -> now;
    private ObjectStore store;
    private Segments segments;
    private UsageRecorder recorder;

    @BeforeEach
    void open() {
        store = Stores.open(folder.resolve("store").toUri().toString());
        segments = LocalSegments.open(folder.resolve("usage"), "w1", clock, 1 << 20);
        recorder = recorder();
    }

    private UsageRecorder recorder() {
        var merged = new MergedReplicas(() -> new UsageReader(store, segments, DUCKDB, folder));
        return new UsageRecorder(() -> new Ledger(segments), merged, platform, clock);
    }

    @AfterEach
    void close() {
        recorder.close();
        segments.close();
        store.close();
    }

    private LedgerMaintenance maintenance(Supplier<Compactor> compactor) throws Exception {
        LedgerSettings settings = settings();
        return new LedgerMaintenance(
                compactor, () -> new Retention(store, settings, clock), recorder, clock, new Random(1));
    }

    private LedgerSettings settings() throws Exception {
        return new LedgerSettings(
                Files.createDirectories(folder.resolve("tmp")), Duration.ofDays(90), Duration.ofHours(2));
    }

    private Compactor compactor() {
        try {
            return new Compactor(store, segments, DUCKDB, settings(), clock, () -> "t1");
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private boolean isMerged() {
        try (var objects = store.list("usage/")) {
            return objects.anyMatch(object -> object.key().path().endsWith(".parquet"));
        }
    }

    /** The recorder has to read what a killed controller left before it goes to files that it does not read. */
    @Test
    void mergesOnlyWhatTheRecorderHasRead() throws Exception {
        RecordedUsage killed = RecordedUsage.of(List.of());
        killed.observe(platform, now);
        new Ledger(segments).append(killed.pending());
        now = START.plus(Duration.ofHours(1));
        LedgerMaintenance maintenance = maintenance(this::compactor);

        maintenance.run();
        assertThat(isMerged()).isFalse();

        recorder.start();
        await().until(recorder::isRecording);
        maintenance.run();
        assertThat(isMerged()).isTrue();
    }

    /** An evicted pod stays for days, and a controller that leads then has not recorded it. */
    @Test
    void theNextRecorderDoesNotCountMergedWorkAgain() throws Exception {
        Work work = new Work(3, 0, 0, 96, 12);
        platform.start("evicted", START);
        platform.work("evicted", work);
        platform.end("evicted", START.plusSeconds(60));
        recorder.start();
        await().until(recorder::isRecording);
        now = START.plus(Duration.ofHours(1));
        maintenance(this::compactor).run();
        maintenance(this::compactor).run();
        assertThat(segments.list().names()).allMatch(name -> name.hour().isAfter(START));

        platform.forgetWork();
        UsageRecorder next = recorder();
        next.start();
        await().until(next::isRecording);
        next.close();

        Usage usage = new UsageReader(store, segments, DUCKDB, folder).rows(START, now);
        assertThat(usage.replicas()).extracting(ReplicaInterval::work).containsExactly(work);
        assertThat(usage.requests()).extracting(RequestMinute::work).containsExactly(work);
    }

    @Test
    void goesOnAfterAFailure() throws Exception {
        recorder.start();
        await().until(recorder::isRecording);
        now = START.plus(Duration.ofHours(1));
        var failing = new boolean[] {true};
        LedgerMaintenance maintenance = maintenance(() -> {
            if (failing[0]) {
                throw new StorageException(StorageException.Kind.UNAVAILABLE, "the store is gone.", "");
            }
            return compactor();
        });

        maintenance.run();
        assertThat(isMerged()).isFalse();
        failing[0] = false;
        maintenance.run();
        assertThat(isMerged()).isTrue();
    }
}
