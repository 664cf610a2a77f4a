package io.knabla.controller.cost.record;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.cost.ledger.Compaction;
import io.knabla.controller.cost.ledger.Compactor;
import io.knabla.controller.cost.ledger.Retention;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Keeps the usage ledger small: merges segments some minutes after each hour, and deletes old usage once a day. Waits
 * after the start of the controller, and until the recorder has read the segments that it merges.
 */
public final class LedgerMaintenance implements Lifecycle {
    private static final System.Logger LOG = System.getLogger(LedgerMaintenance.class.getName());
    private static final Duration LEAST_WAIT = Duration.ofMinutes(1);
    private static final Duration JITTER = Duration.ofMinutes(5);
    private static final Duration RETENTION_PERIOD = Duration.ofDays(1);

    private final Supplier<Compactor> compactor;
    private final Supplier<Retention> retention;
    private final UsageRecorder recorder;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Set<String> logged = new HashSet<>();
    private Instant nextRetention = Instant.EPOCH;
    private final PeriodicTask task = new PeriodicTask("knabla-usage-ledger", "maintain the usage ledger", this::run);

    LedgerMaintenance(
            Supplier<Compactor> compactor,
            Supplier<Retention> retention,
            UsageRecorder recorder,
            InstantSource clock,
            RandomGenerator random) {
        this.compactor = compactor;
        this.retention = retention;
        this.recorder = recorder;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public void start() {
        task.start(jittered(LEAST_WAIT), this::untilNextHour);
    }

    private Duration jittered(Duration least) {
        return least.plusMillis(random.nextLong(JITTER.toMillis()));
    }

    private Duration untilNextHour() {
        Instant now = clock.instant();
        Instant hour = now.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
        return jittered(Duration.between(now, hour).plus(LEAST_WAIT));
    }

    /** Does what is due; a failure is logged once of its kind, and the next run goes on. */
    void run() {
        if (!recorder.isRecording()) {
            return;
        }
        try {
            compact();
            if (!clock.instant().isBefore(nextRetention)) {
                expire();
                nextRetention = clock.instant().plus(RETENTION_PERIOD);
            }
            logged.removeIf(text -> !text.startsWith("damage "));
        } catch (IOException | RuntimeException failed) {
            if (logged.add(failed.getClass().getName())) {
                LOG.log(WARNING, "the usage ledger was not maintained; the next run goes on", failed);
            }
        }
    }

    private void compact() throws IOException {
        Compaction done = compactor.get().run();
        if (done.hoursMerged() > 0) {
            LOG.log(INFO, "merged the usage of {0} hours", done.hoursMerged());
        }
        for (LedgerDamage damage : done.damages()) {
            if (logged.add("damage " + damage.name() + ' ' + damage.type())) {
                LOG.log(WARNING, "usage of {0} is damaged ({1}): {2}", damage.name(), damage.type(), damage.detail());
            }
        }
    }

    private void expire() {
        Retention.Deleted deleted = retention.get().run();
        if (deleted.hours() + deleted.files() > 0) {
            LOG.log(INFO, "deleted {0} hours of old usage, and {1} files", deleted.hours(), deleted.files());
        }
    }

    @Override
    public void close() {
        task.close();
    }
}
