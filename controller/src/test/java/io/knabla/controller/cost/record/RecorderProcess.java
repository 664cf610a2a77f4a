package io.knabla.controller.cost.record;

import io.knabla.controller.cost.ledger.Compactor;
import io.knabla.controller.cost.ledger.Ledger;
import io.knabla.controller.cost.ledger.LedgerSettings;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.segment.ObjectSegments;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Process of one controller of a cluster, as far as it records usage: the recorder while it leads, and the compactor at
 * any time, since one that led may still merge. It leads while it holds a file's lock, which ends with it. Obeys lines
 * of its input, and answers each by a line.
 */
public final class RecorderProcess implements UsageSource {
    /** Sets the clock to the time in this line; the answer says whether all of it is durable in the ledger. */
    static final String TICK = "tick ";

    /** Merges segments; the answer is the number of hours. */
    static final String COMPACT = "compact";

    static final String RECORDED = "recorded";
    static final String STANDBY = "standby";

    static LedgerSettings settings(Path folder) {
        return new LedgerSettings(folder, Duration.ofDays(90), Duration.ofHours(2));
    }

    static final ParquetEngine.Factory PARQUET = ParquetEngine.duckDb("128MB", 1);

    private final FileChannel lease;
    private final Semaphore recordings = new Semaphore(0);
    private Runnable listener = () -> {};
    private volatile Instant now = TimedPlatform.BEGIN;
    private volatile boolean leads;
    private volatile Instant listed = Instant.MIN;
    /** Not {@link #listed}: a recording asks twice whether this process leads, and the clock may move on between. */
    private volatile Instant observed = Instant.MIN;

    private volatile Instant durable = Instant.MIN;

    private RecorderProcess(FileChannel lease) {
        this.lease = lease;
    }

    /** @param arguments store location, file whose lock is the lead, folder for temporary files */
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createDirectories(Path.of(arguments[2]));
        try (ObjectStore store = Stores.open(arguments[0], System.getenv());
                FileChannel lease =
                        FileChannel.open(Path.of(arguments[1]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var process = new RecorderProcess(lease);
            var segments = new ObjectSegments(store, id(), () -> process.now);
            var merged = new MergedReplicas(() -> new UsageReader(store, segments, PARQUET, folder));
            new UsageRecorder(() -> new Ledger(segments), merged, process, () -> process.now).start();
            process.obey(
                    new Compactor(store, segments, PARQUET, settings(folder), () -> process.now, RecorderProcess::id));
        }
    }

    private static String id() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private void obey(Compactor compactor) throws IOException, InterruptedException {
        var input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            System.out.println(
                    line.equals(COMPACT)
                            ? compactor.run().hoursMerged()
                            : tick(Instant.parse(line.substring(TICK.length()))));
        }
    }

    private String tick(Instant time) throws IOException, InterruptedException {
        now = time;
        leads = leads || lease.tryLock() != null;
        while (leads && durable.isBefore(time)) {
            listener.run();
            recordings.tryAcquire(1, TimeUnit.SECONDS);
        }
        return leads ? RECORDED : STANDBY;
    }

    @Override
    public boolean hasSynced() {
        listed = now;
        return leads;
    }

    @Override
    public List<NodeInterval> nodes() {
        observed = listed;
        return TimedPlatform.nodes(listed);
    }

    @Override
    public List<ReplicaInterval> replicas() {
        return TimedPlatform.replicas(listed);
    }

    @Override
    public void onChange(Runnable changed) {
        listener = changed;
    }

    @Override
    public NodeInterval ended(NodeInterval last, Instant seen) {
        return TimedPlatform.node(last.id(), listed);
    }

    @Override
    public ReplicaInterval ended(ReplicaInterval last, Instant seen) {
        return TimedPlatform.replica(last.id(), listed);
    }

    @Override
    public void recorded(Collection<ReplicaInterval> replicas) {
        durable = observed;
        recordings.release();
    }
}
