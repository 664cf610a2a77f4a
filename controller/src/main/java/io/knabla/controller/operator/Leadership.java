package io.knabla.controller.operator;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
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
 * Lets one of several controllers do some work, and another one go on where that one stops. Who leads stops before
 * another may begin: by its own clock where it cannot renew, and before it hands over. All they write is safe to be
 * written twice all the same, since a process may be halted anywhere.
 *
 * <p>The client's own elector was left for this: it asks twice for each renewal, looks no more often than it renews,
 * does not notice the time while a request hangs, and releases before it stops.
 */
final class Leadership implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Leadership.class.getName());
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

    private final LeaseBook book;
    private final LeaseTimes times;
    private final Function<BooleanSupplier, AutoCloseable> work;
    private final SharedIndexInformer<Lease> lease;
    private final Semaphore heard = new Semaphore(0);
    private final Thread candidate =
            Thread.ofPlatform().daemon().name("knabla-candidate").unstarted(this::stand);

    /** In order: what was begun ends before anything begins anew. */
    private final ExecutorService worker = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("knabla-leader").factory());

    private final RetryPolicy<AutoCloseable> untilItWorks = RetryPolicy.<AutoCloseable>builder()
            .withDelay(AFTER_FAILURE)
            .withMaxAttempts(-1)
            .abortIf((_, _) -> !leads())
            .onFailedAttempt(failed -> log("cannot begin to lead", failed.getLastException()))
            .build();

    private volatile boolean leads;
    private volatile boolean closed;
    private Optional<Lease> seen = Optional.empty();
    private long changedAt = System.nanoTime();
    private long renewedAt;
    private AutoCloseable running;

    /**
     * @param work begins the work, which is to do nothing where it is told that this controller leads no longer; what
     *     it answers ends it
     */
    Leadership(LeaseBook book, Function<BooleanSupplier, AutoCloseable> work) {
        this.book = book;
        this.times = book.times();
        // Never: what it holds without knowing, since the answer was lost, is to be claimed at
        // once.
        renewedAt = changedAt - times.renew().toNanos();
        this.work = work;
        lease = book.follow();
        lease.addEventHandler(new Changes());
    }

    /** Stands for election, and again after each defeat. */
    void start() {
        lease.start();
        candidate.start();
    }

    boolean leads() {
        return leads;
    }

    private void stand() {
        try {
            while (!closed) {
                if (!lease.hasSynced()) {
                    pause(times.retry());
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
            case LeaseMove.Wait(var time, var _) -> pause(time);
            case LeaseMove.Claim(var why) -> claim(why);
        }
    }

    private synchronized LeaseMove next() {
        return LeaseMove.next(book.me(), seen, since(changedAt), since(renewedAt), times);
    }

    private void pause(Duration time) throws InterruptedException {
        heard.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS);
        heard.drainPermits();
    }

    private void claim(String why) throws InterruptedException {
        long began = System.nanoTime();
        try {
            won(book.claim(seen()), began);
        } catch (RuntimeException failed) {
            LOG.log(System.Logger.Level.DEBUG, "the Lease is not claimed, though {0}: {1}", why, failed.getMessage());
            afterFailure(failed);
        }
    }

    private void afterFailure(RuntimeException failed) throws InterruptedException {
        if (failed instanceof KubernetesClientException refused
                && refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
            isOtherThanSeen();
            // The watch tells what it is; to ask again before would only be refused again.
            pause(times.lease());
        } else {
            pause(times.retry());
        }
    }

    private synchronized Optional<Lease> seen() {
        return seen;
    }

    /** Somebody was faster, or the watch is behind: either way its holder is alive. */
    private synchronized void isOtherThanSeen() {
        changedAt = System.nanoTime();
    }

    private synchronized void won(Lease written, long began) {
        see(Optional.of(written));
        renewedAt = began;
        Duration left = times.quit().minus(since(began));
        CompletableFuture.delayedExecutor(left.toNanos(), TimeUnit.NANOSECONDS).execute(() -> endUnlessRenewed(began));
        if (!leads && !closed) {
            leads = true;
            LOG.log(System.Logger.Level.INFO, "this controller leads: {0}", book.me());
            worker.execute(this::begin);
        }
    }

    private synchronized void endUnlessRenewed(long last) {
        if (renewedAt == last) {
            stop("its Lease could not be renewed");
        }
    }

    private synchronized void see(Optional<Lease> now) {
        if (!version(now).equals(version(seen))) {
            changedAt = System.nanoTime();
        }
        seen = now;
        if (now.filter(book::isMine).isEmpty()) {
            stop("its Lease is its own no more");
        }
    }

    private static Optional<String> version(Optional<Lease> lease) {
        return lease.map(it -> it.getMetadata().getResourceVersion());
    }

    private synchronized void stop(String why) {
        if (leads) {
            leads = false;
            LOG.log(System.Logger.Level.INFO, "this controller leads no longer: {0}", why);
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
                log("could not end in order", failed);
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

    /** Hands over at once, when its work has ended. */
    @Override
    public void close() {
        closed = true;
        candidate.interrupt();
        lease.close();
        stop("it ends");
        worker.close();
        seen().filter(book::isMine).ifPresent(this::release);
    }

    private void release(Lease mine) {
        try {
            see(Optional.of(book.release(mine)));
        } catch (RuntimeException failed) {
            log("the Lease is not handed over, but runs out", failed);
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
            see(now);
            heard.release();
        }
    }
}
