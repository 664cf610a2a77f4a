package io.knabla.controller.local.gateway;

import io.knabla.controller.scale.Unavailable;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

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
            // If it is not queued any more, its outcome is on the way and must be used.
            return queue.leave(this) ? new Outcome.ClientLeft() : outcome.join();
        }
    }
}
