package io.knabla.controller.operator;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets one of several controllers do some work, and another one go on where that one stops. All they
 * write is safe to be written twice, so that a moment with two of them harms nobody.
 */
final class Leadership implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Leadership.class.getName());

    /**
     * How often the Lease is looked at; each look is one or two requests to the API server. One that
     * ends in order hands over at once, so these times only matter after a crash.
     *
     * @param lease how long a leader that is not heard of is waited for
     * @param renew by when a leader must have said again that it is there
     * @param look between two looks
     */
    record Times(Duration lease, Duration renew, Duration look) {
        static final Times DEFAULT =
                new Times(Duration.ofSeconds(60), Duration.ofSeconds(45), Duration.ofSeconds(20));
    }

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

    private final KubernetesClient client;
    private final LeaseLock lock;
    private final Times times;
    private final Supplier<AutoCloseable> work;
    private final ExecutorService elections = Executors.newVirtualThreadPerTaskExecutor();

    /** In order: what was begun ends before anything begins anew. */
    private final ExecutorService worker =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("knabla-leader").factory());

    private final RetryPolicy<AutoCloseable> untilItWorks =
            RetryPolicy.<AutoCloseable>builder()
                    .withDelay(AFTER_FAILURE)
                    .withMaxAttempts(-1)
                    .abortIf((_, _) -> !leads())
                    .onFailedAttempt(
                            failed -> log("cannot begin to lead", failed.getLastException()))
                    .build();

    private volatile boolean leads;
    private volatile boolean closed;
    private volatile CompletableFuture<?> election;
    private AutoCloseable running;

    /** @param work begins the work; what it answers ends it */
    Leadership(KubernetesClient client, LeaseLock lock, Times times, Supplier<AutoCloseable> work) {
        this.client = client;
        this.lock = lock;
        this.times = times;
        this.work = work;
    }

    /** Stands for election, and again after each defeat. */
    void start() {
        if (closed) {
            return;
        }
        var elector =
                new LeaderElector(
                        client,
                        new LeaderElectionConfigBuilder()
                                .withName(lock.describe())
                                .withLock(lock)
                                .withLeaseDuration(times.lease())
                                .withRenewDeadline(times.renew())
                                .withRetryPeriod(times.look())
                                .withReleaseOnCancel(true)
                                .withLeaderCallbacks(
                                        new LeaderCallbacks(this::began, this::ended, _ -> {}))
                                .build(),
                        elections);
        election = elector.start();
        election.whenCompleteAsync(
                (_, failure) -> again(failure),
                CompletableFuture.delayedExecutor(
                        AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS, elections));
    }

    private void again(Throwable failure) {
        if (!closed) {
            log("the election of a leader ended; stands again", failure);
            start();
        }
    }

    boolean leads() {
        return leads;
    }

    private void began() {
        leads = true;
        LOG.log(System.Logger.Level.INFO, "this controller leads: {0}", lock.describe());
        worker.execute(this::begin);
    }

    private void begin() {
        if (running == null) {
            running = Failsafe.with(untilItWorks).get(work::get);
        }
    }

    private void ended() {
        leads = false;
        LOG.log(System.Logger.Level.INFO, "this controller leads no longer");
        worker.execute(this::end);
    }

    private void end() {
        if (running != null) {
            try {
                running.close();
            } catch (Exception failed) {
                log("could not end in order", failed);
            }
            running = null;
        }
    }

    private static void log(String what, Throwable cause) {
        LOG.log(System.Logger.Level.WARNING, what, cause);
    }

    /** Hands over at once. */
    @Override
    public void close() {
        closed = true;
        if (election != null) {
            election.cancel(true);
        }
        leads = false;
        worker.execute(this::end);
        worker.close();
        elections.close();
    }
}
