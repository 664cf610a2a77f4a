package io.knabla.controller.config;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs a round on one thread of its own, again and again, with a pause after each. A round that fails is logged, once
 * while the failure stays the same, and the next one tries again.
 */
public final class PeriodicTask implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PeriodicTask.class.getName());

    private final ScheduledExecutorService timer;
    private final String purpose;
    private final Round round;
    private String logged = "";

    /** One round of the task. */
    @FunctionalInterface
    public interface Round {
        void run() throws Exception;
    }

    /**
     * @param thread name of its thread
     * @param purpose what a round does, as the log says it after "cannot": {@code update the metrics of costs}
     */
    public PeriodicTask(String thread, String purpose, Round round) {
        this.timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(thread).factory());
        this.purpose = purpose;
        this.round = round;
    }

    /** Called once. */
    public void start(Duration first, Duration pause) {
        start(first, () -> pause);
    }

    /**
     * Called once.
     *
     * @param pause asked after each round
     */
    public void start(Duration first, Supplier<Duration> pause) {
        try {
            timer.schedule(() -> turn(pause), first.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.log(System.Logger.Level.TRACE, purpose + ": no more");
        }
    }

    private void turn(Supplier<Duration> pause) {
        try {
            round.run();
            logged = "";
        } catch (Exception failed) {
            failed(failed);
        } finally {
            start(pause.get(), pause);
        }
    }

    private void failed(Exception failure) {
        if (!timer.isShutdown() && !failure.toString().equals(logged)) {
            logged = failure.toString();
            LOG.log(System.Logger.Level.WARNING, "cannot " + purpose + "; it is tried again", failure);
        }
    }

    /** A round that runs is interrupted; no other follows. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
