package io.knabla.controller.local.gateway;

import io.knabla.controller.scale.Unavailable;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One request's place in a version's queue, and the outcome of its wait. */
final class QueueTicket implements QueuedRequest {
    private final InetAddress client;
    private final boolean small;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    QueueTicket(InetAddress client, boolean small) {
        this.client = client;
        this.small = small;
    }

    /** What the wait ended with. */
    sealed interface Outcome {
        record Granted(Endpoint endpoint, boolean waitedForStart) implements Outcome {}

        record Refused(Unavailable trouble) implements Outcome {}

        record TimedOut() implements Outcome {}

        record ClientLeft() implements Outcome {}
    }

    @Override
    public InetAddress client() {
        return client;
    }

    @Override
    public boolean isSmall() {
        return small;
    }

    @Override
    public void granted(Endpoint endpoint, boolean waitedForStart) {
        outcome.complete(new Outcome.Granted(endpoint, waitedForStart));
    }

    @Override
    public void refused(Unavailable trouble) {
        outcome.complete(new Outcome.Refused(trouble));
    }

    /** Ends the wait with this outcome, unless a replica was granted already. */
    void leave(VersionQueue queue, Outcome why) {
        if (queue.leave(this)) {
            outcome.complete(why);
        }
    }

    Outcome await(VersionQueue queue) {
        try {
            return outcome.get();
        } catch (InterruptedException | ExecutionException stopping) {
            return stopped(queue);
        }
    }

    /** The same; empty if the wait goes on after this time. */
    Optional<Outcome> await(VersionQueue queue, Duration most) {
        try {
            return Optional.of(outcome.get(most.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException waiting) {
            return Optional.empty();
        } catch (InterruptedException | ExecutionException stopping) {
            return Optional.of(stopped(queue));
        }
    }

    /** If it is not queued any more, its outcome is on the way and must be used. */
    private Outcome stopped(VersionQueue queue) {
        return queue.leave(this) ? new Outcome.ClientLeft() : outcome.join();
    }
}
