package io.knabla.controller.local.gateway;

import io.knabla.controller.local.gateway.QueueTicket.Outcome;
import io.knabla.controller.local.gateway.ReplicaAttempt.Result;
import io.knabla.controller.local.gateway.VersionQueue.Admission;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpHeaders;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.paths.ProtocolPath;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Forwards one request to a replica and the response back to the client. Runs on the request's own thread; only
 * {@link #clientLeft} and {@link #checkTime} are called by others.
 */
final class Exchange {
    /** The cluster detects a dead replica within this time. */
    private static final long NOTICE_MILLIS = 200;

    private static final int MOST_SENDS = 2;
    private static final int SMALL_BODY = 64 << 10;
    private static final int MOST_REFUSED_CONNECTIONS = 5;
    private static final Duration SOON = Duration.ofSeconds(1);

    /**
     * Extra wait for the replica's own timeout response: it reports that the engine stopped, so it takes precedence.
     */
    private static final long REPLICA_FIRST_NANOS = 500_000_000;

    private final HttpExchange http;
    private final VersionQueue queue;
    private final String target;
    private final FatalRequests fatal;
    private final String replicaHeaders;
    private final long deadline;
    private final EarlyStream early;

    private volatile QueueTicket ticket;
    private volatile ReplicaAttempt current;
    private volatile boolean clientLeft;

    private long dispatched;
    private int sends;
    private int deaths;
    private Endpoint lastDead;
    private int refusedConnections;
    private boolean waitedForStart;

    /** Header lines that say so. */
    private String ownHeaders;

    /** @param replicaHeaders further header lines for the replica */
    Exchange(HttpExchange http, VersionQueue queue, String target, FatalRequests fatal, String replicaHeaders) {
        this.http = http;
        this.queue = queue;
        this.target = target;
        this.fatal = fatal;
        this.replicaHeaders = replicaHeaders;
        ownHeaders = queue.warmHeaders;
        early = new EarlyStream(http);
        deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(queue.timeoutMillis);
    }

    /** Must be called when the body, or as much of it as is kept, has arrived. Returns the status. */
    int run() throws IOException {
        http.onClientGone(this::clientLeft);
        Endpoint avoid = null;
        while (true) {
            Step step = attempt(avoid);
            switch (step) {
                case Step.Done(int status) -> {
                    return status;
                }
                case Step.Answer(HttpResponse response) -> {
                    answer(formed(response));
                    return response.status();
                }
                case Step.Again(Endpoint failed) -> avoid = failed;
            }
        }
    }

    private void answer(HttpResponse response) throws IOException {
        if (early.begun()) {
            early.end(response);
        } else {
            http.respond(response.withHeaders(ownHeaders));
        }
    }

    /** Clients of the inference protocols read their own form, of whatever type the function is. */
    private HttpResponse formed(HttpResponse response) {
        boolean text = queue.version.spec().takesText() && !ProtocolPath.isProtocol(target);
        return text ? TextRequests.inItsForm(response) : response;
    }

    /** What follows from one attempt. */
    private sealed interface Step {
        /** The response was sent. */
        record Done(int status) implements Step {}

        record Answer(HttpResponse response) implements Step {}

        /** @param failed replica to avoid; may be null */
        record Again(Endpoint failed) implements Step {}
    }

    private Step attempt(Endpoint avoid) throws IOException {
        ticket = new QueueTicket(
                http.client(), http.hasWholeBody() && http.request().bodyLength() <= SMALL_BODY);
        return switch (queue.admit(ticket, avoid)) {
            case Admission.Granted(Endpoint free) -> send(free, avoid);
            case Admission.Waiting() -> await(avoid);
            case Admission.Full(int waiting) ->
                new Step.Answer(Answers.error(429, ErrorMessages.queueFull(waiting, queue.key))
                        .withHeaders(Answers.retryAfter(SOON)));
            case Admission.Rejected(var trouble) -> new Step.Answer(Answers.unavailable(trouble));
        };
    }

    private Step await(Endpoint avoid) throws IOException {
        if (clientLeft) {
            ticket.leave(queue, new Outcome.ClientLeft());
        }
        return switch (outcome()) {
            case Outcome.Granted(Endpoint free, boolean forStart) -> {
                if (forStart && !waitedForStart) {
                    waitedForStart = true;
                    ownHeaders = queue.startHeaders(free.replica.start());
                    queue.meters.waitedForStart();
                }
                yield send(free, avoid);
            }
            case Outcome.Refused(var trouble) -> new Step.Answer(Answers.unavailable(trouble));
            case Outcome.TimedOut() ->
                new Step.Answer(
                        Answers.error(504, ErrorMessages.waitedInVain(queue.timeoutMillis, queue.whyWaiting())));
            case Outcome.ClientLeft() -> new Step.Done(Answers.CLIENT_LEFT);
        };
    }

    private Outcome outcome() {
        return queue.version.spec().streamsAnswers() ? early.await(ticket, queue) : ticket.await(queue);
    }

    private Step send(Endpoint to, Endpoint failed) throws IOException {
        if (to == failed) {
            return againAfterNotice(to);
        }
        SendOutcome outcome = SendOutcome.UNANSWERED;
        ticket = null;
        dispatched = System.nanoTime();
        ReplicaAttempt attempt =
                new ReplicaAttempt(http, to, target, replicaHeaders, queue.stallMillis, deadline + REPLICA_FIRST_NANOS);
        try {
            current = attempt;
            if (clientLeft) {
                attempt.cancel();
            }
            Result result = attempt.run();
            outcome = outcome(result);
            return clientLeft ? new Step.Done(Answers.CLIENT_LEFT) : follow(result, to, attempt);
        } finally {
            current = null;
            attempt.cancel();
            queue.release(to, outcome, System.nanoTime() - dispatched);
        }
    }

    private SendOutcome outcome(Result result) {
        return switch (result) {
            case Result.NoConnection() -> SendOutcome.REFUSED;
            // A request that has waited in the queue leaves the replica less time: that says nothing about it.
            case Result.TimedOut() ->
                System.nanoTime() - dispatched < TimeUnit.MILLISECONDS.toNanos(queue.timeoutMillis)
                        ? SendOutcome.UNANSWERED
                        : SendOutcome.TIMED_OUT;
            case Result.Broken _, Result.Stopping _, Result.BodyTimedOut _ -> SendOutcome.UNANSWERED;
            case Result.Answered _, Result.Streamed _ -> SendOutcome.ANSWERED;
        };
    }

    /**
     * Only the replica that just failed is free: waits until the cluster has removed it if it died, then tries again.
     */
    private Step againAfterNotice(Endpoint endpoint) {
        queue.release(endpoint, SendOutcome.UNANSWERED, 0);
        endpoint.awaitRemoval(NOTICE_MILLIS);
        return clientLeft ? new Step.Done(Answers.CLIENT_LEFT) : new Step.Again(null);
    }

    private Step follow(Result result, Endpoint to, ReplicaAttempt attempt) throws IOException {
        return switch (result) {
            case Result.NoConnection() -> {
                // Nothing was sent, so this does not count as a send.
                refusedConnections++;
                yield refusedConnections > MOST_REFUSED_CONNECTIONS
                        ? new Step.Answer(Answers.again(ErrorMessages.noConnection(queue.key), SOON))
                        : new Step.Again(to);
            }
            case Result.Broken(IOException cause) -> failed(to, cause);
            case Result.TimedOut() ->
                new Step.Answer(Answers.error(504, ErrorMessages.timeout(queue.timeoutMillis, to.replica.id())));
            case Result.BodyTimedOut() ->
                new Step.Answer(Answers.error(408, ErrorMessages.bodyTimeout(queue.timeoutMillis)));
            case Result.Stopping whole -> {
                // It is shutting down and did not process the request.
                sends++;
                yield mayRetry() ? again(to) : pass(whole.response(), to, attempt);
            }
            case Result.Answered whole -> {
                fatal.forget(queue.key, http.request());
                yield pass(whole, to, attempt);
            }
            case Result.Streamed() ->
                new Step.Done(attempt.stream(early, clientHeaders(attempt.head().headers(), to) + ownHeaders));
        };
    }

    private Step pass(Result.Answered whole, Endpoint to, ReplicaAttempt attempt) {
        String headers = clientHeaders(attempt.head().headers(), to);
        return new Step.Answer(
                new HttpResponse(attempt.head().status(), null, headers, whole.body(), whole.body().length));
    }

    private String clientHeaders(HttpHeaders from, Endpoint to) {
        Map<String, Double> phases = waitedForStart ? to.replica.phases() : Map.of();
        double waited = (dispatched - http.request().arrived()) / 1e6;
        String timing = ServerTiming.merge(waited, phases, from.get(Headers.SERVER_TIMING));
        return Headers.forClient(from, timing).toString();
    }

    private boolean mayRetry() {
        return queue.repeatable && http.hasWholeBody() && sends < MOST_SENDS;
    }

    private Step again(Endpoint failed) {
        queue.retried(failed);
        return new Step.Again(failed);
    }

    private Step failed(Endpoint endpoint, IOException cause) {
        // The end of a node says nothing about the request.
        if (!queue.isTakenBack(endpoint)) {
            sends++;
            if (endpoint != lastDead) {
                lastDead = endpoint;
                deaths++;
            }
        }
        if (mayRetry()) {
            return again(endpoint);
        }
        if (deaths == MOST_SENDS) {
            fatal.add(queue.key, http.request());
        }
        return new Step.Answer(
                Answers.again(ErrorMessages.replicaEnded(endpoint, cause, sends, queue.repeatable), SOON));
    }

    /** Ends its current wait if that has timed out. */
    void checkTime(long now) {
        ReplicaAttempt running = current;
        if (running != null) {
            running.checkTime(now);
        }
        QueueTicket waiting = ticket;
        if (waiting != null && now - deadline >= 0) {
            waiting.leave(queue, new Outcome.TimedOut());
        }
    }

    private void clientLeft() {
        clientLeft = true;
        ReplicaAttempt running = current;
        if (running != null) {
            running.cancel();
        }
        QueueTicket waiting = ticket;
        if (waiting != null) {
            waiting.leave(queue, new Outcome.ClientLeft());
        }
    }
}
