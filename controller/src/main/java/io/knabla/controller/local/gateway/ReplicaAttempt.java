package io.knabla.controller.local.gateway;

import io.knabla.runtime.http.BodyPump;
import io.knabla.runtime.http.ClientConnection;
import io.knabla.runtime.http.ConnectionLease;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.ResponseHead;
import io.knabla.runtime.relay.RequestRelay;
import io.knabla.runtime.relay.ResponseRelay;
import java.io.IOException;

/** One attempt to have a request answered by one replica: sends it and reads the response. */
final class ReplicaAttempt {
    /** Responses up to this size are read whole without a reservation: a socket's buffer takes them. */
    private static final long SMALL_ANSWER = 16 << 10;

    /**
     * Larger responses are read whole while there is memory for them: the request can then be repeated if the replica
     * dies, and a client that reads slowly does not occupy the replica.
     */
    private static final long LARGEST_HELD = 16 << 20;

    private final HttpExchange http;
    private final Endpoint endpoint;
    private final String target;
    private final String headers;
    private final long stallMillis;
    private final long limit;
    private final ConnectionLease lease;
    private BodyPump pump;
    private ResponseHead head;
    private ClientConnection connection;
    private volatile boolean timedOut;
    private volatile boolean streams;

    /**
     * @param headers further header lines for the replica
     * @param stallMillis within which each piece of a streamed response must come
     * @param limit nanosecond of the system's timer at which the response must be there
     */
    ReplicaAttempt(HttpExchange http, Endpoint endpoint, String target, String headers, long stallMillis, long limit) {
        this.http = http;
        this.endpoint = endpoint;
        this.target = target;
        this.headers = headers;
        this.stallMillis = stallMillis;
        this.limit = limit;
        lease = new ConnectionLease(endpoint.connections);
    }

    /** What became of the request. */
    sealed interface Result {
        /** Nothing was sent. */
        record NoConnection() implements Result {}

        /** It may have been processed. */
        record Broken(IOException cause) implements Result {}

        record TimedOut() implements Result {}

        /** Time ran out while the client's body was awaited. */
        record BodyTimedOut() implements Result {}

        record Answered(byte[] body) implements Result {}

        /** The replica is shutting down. */
        record Stopping(Answered response) implements Result {}

        /** The response is large or without end: it is read by {@link ReplicaAttempt#stream}. */
        record Streamed() implements Result {}
    }

    /**
     * @throws HttpFault if the rest of the client's body is refused
     * @throws IOException if the client left within its body
     */
    Result run() throws IOException {
        try {
            connection = lease.take();
        } catch (IOException refused) {
            return new Result.NoConnection();
        }
        Result result = exchange();
        if (!(result instanceof Result.Streamed)) {
            give();
        }
        return result;
    }

    private boolean isHeld(long length) {
        return length >= 0
                && !http.request().isHead()
                && (length <= SMALL_ANSWER || (length <= LARGEST_HELD && http.holdResponse(length)));
    }

    private void give() {
        if (pump != null && !pump.complete()) {
            // The response came before the end of the body: what the replica still reads of it is unknown.
            connection.close();
        }
        lease.give();
    }

    private Result exchange() throws IOException {
        try {
            pump = RequestRelay.send(
                    http,
                    connection,
                    target,
                    Headers.forReplica(http.request(), endpoint).append(headers));
            head = connection.readHead();
            long length = ClientConnection.length(head);
            if (!isHeld(length)) {
                streams = true;
                return timedOut ? timedOut() : new Result.Streamed();
            }
            var answer = new Result.Answered(connection.readAll((int) length));
            return head.status() == 503 ? new Result.Stopping(answer) : answer;
        } catch (IOException broken) {
            connection.close();
            if (timedOut) {
                return timedOut();
            }
            if (pump != null) {
                pump.rethrow();
            }
            return new Result.Broken(broken);
        } catch (HttpFault malformed) {
            connection.close();
            return new Result.Broken(new IOException(malformed.getMessage(), malformed));
        }
    }

    private Result timedOut() {
        return pump != null && pump.waitsForClient() ? new Result.BodyTimedOut() : new Result.TimedOut();
    }

    /** Passes a large response on; returns the status that is counted. */
    int stream(EarlyStream early, String headers) throws IOException {
        try {
            connection.limitReads(stallMillis);
            boolean complete = ResponseRelay.stream(
                    connection, early.writer(head.status(), headers, ClientConnection.length(head)));
            return complete ? head.status() : 503;
        } finally {
            give();
        }
    }

    ResponseHead head() {
        return head;
    }

    /** Called by another thread: ends it if its time is over; a response that is being streamed goes on. */
    void checkTime(long now) {
        if (now - limit < 0) {
            return;
        }
        timedOut = true;
        if (!streams) {
            cancel();
        }
    }

    /** Ends it, also from another thread; does nothing after its end. */
    void cancel() {
        lease.cancel();
    }
}
