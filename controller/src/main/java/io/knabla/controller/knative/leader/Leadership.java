package io.knabla.controller.knative.leader;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.knabla.controller.config.Lifecycle;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Elects one of several controllers as leader by a Lease, and runs its work while it leads. A leader stops its work
 * before another can start: by its own clock if it cannot renew the Lease, and before it releases the Lease. Their
 * writes are idempotent nevertheless, since a process may be paused at any point.
 *
 * <p>Replaces Fabric8's LeaderElector, which makes two calls for each renewal, polls no more often than it renews, does
 * not notice the time while a request hangs, and releases the Lease before its work stops.
 */
public final class Leadership implements Lifecycle {
    private static final System.Logger LOG = System.getLogger(Leadership.class.getName());
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

    private final LeaseClient book;
    private final LeaseTimes times;
    private final Function<BooleanSupplier, AutoCloseable> work;
    private final SharedIndexInformer<Lease> lease;
    private final Semaphore leaseChanged = new Semaphore(0);
    private final Thread candidate =
            Thread.ofPlatform().daemon().name("knabla-candidate").unstarted(this::campaign);

    /** One thread: work that was started ends before it starts again. */
    private final ExecutorService worker = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("knabla-leader").factory());

    private final RetryPolicy<AutoCloseable> untilItWorks = RetryPolicy.<AutoCloseable>builder()
            .withDelay(AFTER_FAILURE)
            .withMaxAttempts(-1)
            .abortIf((_, _) -> !leads())
            .onFailedAttempt(failed -> log("cannot start to lead", failed.getLastException()))
            .build();

    private volatile boolean leads;
    private volatile boolean closed;
    private Optional<Lease> seen = Optional.empty();
    private long changedAt = System.nanoTime();
    private volatile long renewedAt;
    private AutoCloseable running;

    /**
     * @param work starts the work and returns what stops it. The work checks its argument, which is false once this
     *     controller no longer leads
     */
    public Leadership(LeaseClient book, Function<BooleanSupplier, AutoCloseable> work) {
        this.book = book;
        this.times = book.times();
        // Due at once: this controller may hold the Lease already, if the answer to its claim was lost.
        renewedAt = changedAt - times.renewInterval().toNanos();
        this.work = work;
        lease = book.follow();
        lease.addEventHandler(new Changes());
    }

    /** Starts to claim the Lease, and tries again whenever it is lost. */
    @Override
    public void start() {
        // A candidate that pauses for want of the Lease looks again once it is there, not after a whole pause.
        lease.start().thenRun(leaseChanged::release);
        candidate.start();
    }

    /** Asks the clock, too: a process that was paused does not lead until its timers have run. */
    public boolean leads() {
        return leads && since(renewedAt).compareTo(times.renewDeadline()) < 0;
    }

    private void campaign() {
        try {
            while (!closed) {
                if (!lease.hasSynced()) {
                    pause(times.retryPeriod());
                } else {
                    move();
                }
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void move() throws InterruptedException {
        switch (next()) {
            case LeaseDecision.Wait(var time, var _) -> pause(time);
            case LeaseDecision.Claim(var why) -> claim(why);
        }
    }

    private synchronized LeaseDecision next() {
        return LeaseDecision.decide(book.identity(), seen, since(changedAt), since(renewedAt), times);
    }

    private void pause(Duration time) throws InterruptedException {
        leaseChanged.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS);
        leaseChanged.drainPermits();
    }

    private void claim(String why) throws InterruptedException {
        long began = System.nanoTime();
        try {
            won(book.claim(seen()), began);
        } catch (RuntimeException failed) {
            LOG.log(System.Logger.Level.DEBUG, "cannot claim the Lease ({0}): {1}", why, failed.getMessage());
            afterFailure(failed);
        }
    }

    private void afterFailure(RuntimeException failed) throws InterruptedException {
        if (failed instanceof KubernetesClientException refused
                && refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
            restartTakeoverTimer();
            // The watch delivers the newer Lease; a claim before that would conflict again.
            pause(times.leaseDuration());
        } else {
            pause(times.retryPeriod());
        }
    }

    private synchronized Optional<Lease> seen() {
        return seen;
    }

    /** After a conflict another controller was faster, or the watch is behind: either way the holder is alive. */
    private synchronized void restartTakeoverTimer() {
        changedAt = System.nanoTime();
    }

    private synchronized void won(Lease written, long began) {
        observe(Optional.of(written));
        renewedAt = began;
        Duration left = times.renewDeadline().minus(since(began));
        CompletableFuture.delayedExecutor(left.toNanos(), TimeUnit.NANOSECONDS).execute(() -> endUnlessRenewed(began));
        if (!leads && !closed) {
            leads = true;
            LOG.log(System.Logger.Level.INFO, "this controller leads: {0}", book.identity());
            worker.execute(this::begin);
        }
    }

    private synchronized void endUnlessRenewed(long last) {
        if (renewedAt == last) {
            stop("its Lease could not be renewed");
        }
    }

    private synchronized void observe(Optional<Lease> now) {
        if (!version(now).equals(version(seen))) {
            changedAt = System.nanoTime();
        }
        seen = now;
        if (now.filter(book::isMine).isEmpty()) {
            stop("it no longer holds the Lease");
        }
    }

    private static Optional<String> version(Optional<Lease> lease) {
        return lease.map(it -> it.getMetadata().getResourceVersion());
    }

    private synchronized void stop(String why) {
        if (leads) {
            leads = false;
            LOG.log(System.Logger.Level.INFO, "this controller no longer leads: {0}", why);
            worker.execute(this::end);
        }
    }

    private void begin() {
        if (running == null && leads) {
            running = Failsafe.with(untilItWorks).get(() -> work.apply(this::leads));
        }
    }

    private void end() {
        if (running != null) {
            try {
                running.close();
            } catch (Exception failed) {
                log("the work of the leader failed to stop", failed);
            }
            running = null;
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static void log(String what, Throwable cause) {
        LOG.log(System.Logger.Level.WARNING, what, cause);
    }

    /** Stops the work, then releases the Lease, which lets another controller lead at once. */
    @Override
    public void close() {
        closed = true;
        candidate.interrupt();
        lease.close();
        stop("it shuts down");
        worker.close();
        seen().filter(book::isMine).ifPresent(this::release);
    }

    private void release(Lease mine) {
        try {
            observe(Optional.of(book.release(mine)));
        } catch (RuntimeException failed) {
            log("cannot release the Lease; it expires by itself", failed);
        }
    }

    private final class Changes implements ResourceEventHandler<Lease> {
        @Override
        public void onAdd(Lease now) {
            hear(Optional.of(now));
        }

        @Override
        public void onUpdate(Lease before, Lease now) {
            hear(Optional.of(now));
        }

        @Override
        public void onDelete(Lease last, boolean unseen) {
            hear(Optional.empty());
        }

        private void hear(Optional<Lease> now) {
            observe(now);
            leaseChanged.release();
        }
    }
}
