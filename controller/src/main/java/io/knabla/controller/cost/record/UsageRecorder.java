package io.knabla.controller.cost.record;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.cost.ledger.Ledger;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.ReplicaInterval;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps the usage ledger up to date with the platform: soon after every change and every {@link #PERIOD} it compares
 * what the platform tells with what it wrote last, and appends the difference. While the ledger takes nothing, it
 * collects and tries again. It starts from what the ledger holds, so intervals go on across restarts of the controller.
 */
public final class UsageRecorder implements Lifecycle {
    private static final System.Logger LOG = System.getLogger(UsageRecorder.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(10);

    /** Changes of this time share one append. */
    private static final Duration COLLECT = Duration.ofMillis(50);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final Supplier<Ledger> ledger;
    private final MergedReplicas merged;
    private final UsageSource source;
    private final InstantSource clock;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("knabla-usage").factory());

    /** Null while the source is not synced, and until the ledger was read; used by the executor's thread only. */
    private RecordedUsage recorded;

    private boolean failing;
    private volatile boolean recording;

    /** @param ledger opened by this recorder's own thread, and again after a failure, so that no start waits for it */
    UsageRecorder(Supplier<Ledger> ledger, MergedReplicas merged, UsageSource source, InstantSource clock) {
        this.ledger = ledger;
        this.merged = merged;
        this.source = source;
        this.clock = clock;
    }

    @Override
    public void start() {
        source.onChange(this::changed);
        executor.scheduleWithFixedDelay(this::record, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether this controller records, and has read what an earlier one left in segments. */
    public boolean isRecording() {
        return recording;
    }

    private void changed() {
        if (scheduled.compareAndSet(false, true)) {
            try {
                executor.schedule(this::recordChange, COLLECT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                LOG.log(System.Logger.Level.TRACE, "the usage is closed");
            }
        }
    }

    private void recordChange() {
        scheduled.set(false);
        record();
    }

    private void record() {
        try {
            recordOnce();
            if (failing) {
                LOG.log(INFO, "usage is recorded again; nothing was lost");
                failing = false;
            }
        } catch (RuntimeException failed) {
            if (!failing) {
                LOG.log(WARNING, "usage is not recorded; it is kept in memory and tried again", failed);
                failing = true;
            }
        }
    }

    private void recordOnce() {
        if (!mayRecord()) {
            return;
        }
        Ledger open = ledger.get();
        if (recorded == null) {
            recorded = read(open);
        }
        // Before the source is asked, so that an interval is never seen later than the source was alive.
        recorded.observe(source, clock.instant());
        List<UsageRecord> rows = recorded.pending();
        // A controller that was paused meanwhile may have a successor, which counts the same requests.
        if (!mayRecord()) {
            return;
        }
        open.append(rows);
        recorded.written(rows);
        recording = true;
        source.recorded(replicas(rows));
    }

    private static List<ReplicaInterval> replicas(List<UsageRecord> rows) {
        return rows.stream()
                .flatMap(row -> row instanceof UsageRecord.Replica replica ? Stream.of(replica.interval()) : null)
                .toList();
    }

    private boolean mayRecord() {
        boolean synced = source.hasSynced();
        if (!synced) {
            recording = false;
            recorded = null;
        }
        return synced;
    }

    private RecordedUsage read(Ledger open) {
        Usage usage = open.unmerged();
        usage.damages()
                .forEach(damage -> LOG.log(WARNING, "usage of {0} is damaged: {1}", damage.name(), damage.detail()));
        Set<String> known = usage.replicas().stream().map(ReplicaInterval::id).collect(Collectors.toSet());
        List<UsageRecord> rows =
                new ArrayList<>(usage.rows().stream().filter(this::isCovered).toList());
        rows.addAll(merged.find(source.replicas(), known, clock.instant()));
        source.resumed(replicas(rows));
        return RecordedUsage.of(rows);
    }

    /** Nodes are shared: each controller sees all of them. */
    private boolean isCovered(UsageRecord row) {
        return switch (row) {
            case UsageRecord.Node _ -> true;
            case UsageRecord.Replica replica -> source.covers(replica.interval().namespace());
            case UsageRecord.Requests requests ->
                source.covers(requests.minute().namespace());
        };
    }

    /** Ends what does not outlive this controller, and records it. */
    @Override
    public void close() {
        source.shutDown();
        try {
            executor.submit(this::record).get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException failed) {
            LOG.log(ERROR, "the last usage was not recorded", failed);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        executor.shutdownNow();
    }
}
