package io.knabla.controller.gc;

import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.gc.GarbageCollector.CollectionResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Schedules garbage collection. Every controller checks about once an hour, at random times, and collects if the last
 * collection is at least {@code every} ago; the {@link CollectionLock} admits only one. The files of its own machine
 * each controller collects at every check.
 */
public final class CollectionScheduler implements Lifecycle {
    private static final System.Logger LOG = System.getLogger(CollectionScheduler.class.getName());
    private static final Duration FIRST = Duration.ofMinutes(10);
    private static final Duration PAUSE = Duration.ofHours(1);

    private final GarbageCollector collector;
    private final LocalFileCollector machine;
    private final RandomGenerator random;
    private final boolean automatic;
    private final Duration every;
    private final Duration grace;
    private final PeriodicTask task = new PeriodicTask("knabla-gc", "collect garbage", this::turn);

    /** @param automatic false if garbage is collected only by hand */
    CollectionScheduler(
            GarbageCollector collector,
            LocalFileCollector machine,
            RandomGenerator random,
            boolean automatic,
            Duration every,
            Duration grace) {
        this.collector = collector;
        this.machine = machine;
        this.random = random;
        this.automatic = automatic;
        this.every = every;
        this.grace = grace;
    }

    @Override
    public void start() {
        if (automatic) {
            task.start(jittered(FIRST, random), () -> jittered(PAUSE, random));
        }
    }

    private void turn() {
        collectFiles();
        collectIfDue();
    }

    private void collectFiles() {
        LocalFileCollector.MachineReport report = machine.collect(false);
        if (report.deletedFiles() > 0) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "deleted {0} old logs and marks, {1} bytes",
                    report.deletedFiles(),
                    report.garbageBytes());
        }
        report.troubles().forEach(trouble -> LOG.log(System.Logger.Level.WARNING, trouble));
    }

    /** Collects if a collection is due; returns whether it was. */
    boolean collectIfDue() {
        if (!due(collector.last(), collector.now(), every)) {
            return false;
        }
        switch (collector.collect(grace)) {
            case CollectionResult.Done(var report) ->
                LOG.log(
                        report.troubles().isEmpty() ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
                        "collected garbage: {0} objects, {1} bytes{2}",
                        report.deletedObjects(),
                        report.deletedBytes(),
                        report.troubles().isEmpty() ? "" : "; " + String.join("; ", report.troubles()));
            case CollectionResult.Unclear(var sentence) -> LOG.log(System.Logger.Level.WARNING, sentence);
            case CollectionResult.Busy(var sentence) -> LOG.log(System.Logger.Level.INFO, sentence);
        }
        return true;
    }

    /** @param last end of the last collection, by the store's clock as {@code now}; empty if there was none */
    static boolean due(Optional<Instant> last, Instant now, Duration every) {
        return last.map(then -> Duration.between(then, now).compareTo(every) >= 0)
                .orElse(true);
    }

    /** Between 0.5 and 1.5 times the duration: controllers must not all check at once. */
    static Duration jittered(Duration about, RandomGenerator random) {
        return Duration.ofMillis((long) (about.toMillis() * random.nextDouble(0.5, 1.5)));
    }

    @Override
    public void close() {
        task.close();
    }
}
