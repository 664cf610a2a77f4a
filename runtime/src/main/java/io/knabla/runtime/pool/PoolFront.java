package io.knabla.runtime.pool;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.knabla.functions.unit.UnitAssignment;
import io.knabla.runtime.errors.InferenceError;
import io.knabla.runtime.http.BodyPump;
import io.knabla.runtime.http.ClientConnection;
import io.knabla.runtime.http.ConnectionLease;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.HttpHandler;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.http.ResponseHead;
import io.knabla.runtime.paths.ServerAction;
import io.knabla.runtime.relay.EndToEndHeaders;
import io.knabla.runtime.relay.RequestRelay;
import io.knabla.runtime.relay.ResponseRelay;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Optional;

/**
 * Answers requests for the functions of a namespace that have no pods: finds the function by the Host header, and
 * passes the request to the function's process.
 */
final class PoolFront implements HttpHandler {
    /** What the controller reads, from the pod's own port. */
    static final String REPORT = "/pool/functions";

    private static final String REPLICA_TOKEN = "Knabla-Replica-Token";
    private static final String MAX_BODY = "KNABLA_MAX_BODY_BYTES";
    private static final String TIMEOUT = "KNABLA_TIMEOUT_MS";
    private static final long USUAL_TIMEOUT = 30_000;
    private static final long GRACE_MILLIS = 5_000;

    private final String namespace;
    private final Assignments assignments;
    private final Members members;
    private final RecentCalls calls = new RecentCalls();

    PoolFront(String namespace, Assignments assignments, Members members) {
        this.namespace = namespace;
        this.assignments = assignments;
        this.members = members;
    }

    @Override
    public HttpResponse refuse(HttpRequest request) {
        return null;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        Optional<String> function = CalledFunction.of(exchange.request().header("Host"), namespace);
        if (function.isEmpty()) {
            exchange.respond(ownAnswer(exchange.request().path()));
        } else {
            answer(function.get(), exchange);
        }
    }

    private HttpResponse ownAnswer(String path) {
        ServerAction probe = ServerAction.of(path);
        if (probe == ServerAction.LIVE || probe == ServerAction.READY) {
            boolean healthy = probe == ServerAction.LIVE || members.isReady();
            return HttpResponse.json(healthy ? 200 : 503, "{}".getBytes(UTF_8));
        }
        if (path.equals(REPORT)) {
            return HttpResponse.json(200, calls.json(System.nanoTime()).getBytes(UTF_8));
        }
        return error(404, "this pool serves functions of namespace '%s' by their host".formatted(namespace));
    }

    private void answer(String function, HttpExchange exchange) throws IOException {
        calls.called(function, System.nanoTime());
        Optional<UnitAssignment> assignment = assignments.of(function);
        if (assignment.isEmpty()) {
            calls.refused(function, System.nanoTime());
            exchange.respond(retry("function '%s' does not sleep in this pool".formatted(function)));
            return;
        }
        Members.Held held;
        try {
            held = members.take(function, assignment.get());
        } catch (Members.NoMember refusal) {
            calls.refused(function, System.nanoTime());
            exchange.respond(retry(refusal.getMessage() + "; pods of its own are started"));
            return;
        }
        try {
            relay(held, exchange);
        } finally {
            members.release(held.member());
        }
    }

    private HttpResponse retry(String sentence) {
        return error(503, sentence).withHeaders("Retry-After: 2\r\n");
    }

    private void relay(Members.Held held, HttpExchange exchange) throws IOException {
        Member member = held.member();
        exchange.limitBody(
                member.assignment.number(MAX_BODY, exchange.bodyLimit()),
                "send less, or give the function more memory in spec.resources");
        var lease = new ConnectionLease(member.connections);
        try {
            pass(lease.take(), held, exchange);
        } catch (SocketTimeoutException late) {
            exchange.respond(error(
                    504,
                    "no answer within %d ms (spec.timeout), the time ran out in the pool".formatted(timeout(member))));
        } catch (IOException broken) {
            if (exchange.responded() || member.isAlive()) {
                throw broken;
            }
            exchange.respond(retry("the process of function '%s' ended within the request".formatted(member.function)));
        } finally {
            lease.give();
        }
    }

    /**
     * @throws HttpFault if the client's body is refused, or does not come in time
     * @throws SocketTimeoutException if the member does not answer in time
     * @throws IOException if the member or the client ended the connection
     */
    private static void pass(ClientConnection connection, Members.Held held, HttpExchange exchange) throws IOException {
        Member member = held.member();
        BodyPump pump = null;
        ResponseHead head;
        try {
            pump = RequestRelay.send(exchange, connection, exchange.request().target(), toMember(exchange, member));
            connection.limitReads(timeout(member) + GRACE_MILLIS);
            head = connection.readHead();
            // A stream may be silent for longer.
            connection.limitReads(0);
        } catch (IOException broken) {
            if (pump != null) {
                checkBody(pump, broken, member);
            }
            throw broken;
        }
        ResponseRelay.stream(connection, head, toClient(head, held), exchange);
        if (pump != null && !pump.complete()) {
            // The response came before the end of the body: what the member still reads of it is unknown.
            connection.close();
        }
    }

    /** Throws the fault of the client's body, if that is why there is no answer. */
    private static void checkBody(BodyPump pump, IOException broken, Member member) throws IOException {
        pump.rethrow();
        if (broken instanceof SocketTimeoutException && pump.waitsForClient()) {
            throw new HttpFault(
                    408,
                    "the request's body did not arrive within the function's timeout of %d ms; send it faster, or raise spec.timeout"
                            .formatted(timeout(member)));
        }
    }

    private static long timeout(Member member) {
        return member.assignment.number(TIMEOUT, USUAL_TIMEOUT);
    }

    private static StringBuilder toMember(HttpExchange exchange, Member member) {
        var lines = new StringBuilder(512);
        EndToEndHeaders.append(
                exchange.request().headers(),
                name -> name.equalsIgnoreCase("Host") || name.equalsIgnoreCase(REPLICA_TOKEN),
                lines);
        return lines.append("Host: ")
                .append(member.function)
                .append("\r\n" + REPLICA_TOKEN + ": ")
                .append(member.token)
                .append("\r\n");
    }

    private static String toClient(ResponseHead head, Members.Held held) {
        var lines = new StringBuilder(512);
        boolean woken = !held.serverTiming().isEmpty();
        EndToEndHeaders.append(head.headers(), name -> woken && name.equalsIgnoreCase("Server-Timing"), lines);
        lines.append("Knabla-Start: ").append(woken ? "pooled" : "warm").append("\r\n");
        if (woken) {
            String own = head.headers().get("Server-Timing");
            lines.append("Server-Timing: ").append(held.serverTiming());
            lines.append(own == null ? "" : ", " + own).append("\r\n");
        }
        return lines.toString();
    }

    @Override
    public void done() {
        // Requests are counted by member.
    }

    @Override
    public HttpResponse error(int status, String sentence) {
        return InferenceError.of(status, sentence);
    }
}
