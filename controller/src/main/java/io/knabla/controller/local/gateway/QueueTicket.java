package io.knabla.controller.local.gateway;

import io.knabla.controller.scale.Unavailable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One request's place in a version's queue, and the outcome of its wait. */
final class QueueTicket implements QueuedRequest {
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    /** What the wait ended with. */
    sealed interface Outcome {
        record Granted(Endpoint endpoint, boolean waitedForStart) implements Outcome {}

        record Refused(Unavailable trouble) implements Outcome {}

        record TimedOut() implements Outcome {}

        record ClientLeft() implements Outcome {}
    }

    @Override
    public void granted(Endpoint endpoint, boolean waitedForStart) {
        outcome.complete(new Outcome.Granted(endpoint, waitedForStart));
    }

    @Override
    public void refused(Unavailable trouble) {
        outcome.complete(new Outcome.Refused(trouble));
    }

    /** The client left: it still waits in the queue for {@link #await} to take it out. */
    void cancel(VersionQueue queue) {
        if (queue.leave(this)) {
            outcome.complete(new Outcome.ClientLeft());
        }
    }

    Outcome await(VersionQueue queue, long nanos) {
        try {
            return outcome.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            // If it is not queued any more, its outcome is on the way and must be used.
            return queue.leave(this) ? new Outcome.TimedOut() : outcome.join();
        } catch (InterruptedException | ExecutionException stopping) {
            return queue.leave(this) ? new Outcome.ClientLeft() : outcome.join();
        }
    }
}
