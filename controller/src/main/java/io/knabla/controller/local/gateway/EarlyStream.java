package io.knabla.controller.local.gateway;

import io.knabla.controller.local.gateway.QueueTicket.Outcome;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.http.ResponseWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * A stream of events that begins before a replica can answer: its head and comments, which clients ignore, keep the
 * connection busy while a replica starts. What fails after the head is told by an event, as a replica tells it.
 */
final class EarlyStream {
    /** Most waits are shorter, and what is refused within it has a status of its own. */
    private static final Duration HEAD_AFTER = Duration.ofMillis(500);

    private static final Duration COMMENT_EVERY = Duration.ofSeconds(10);
    private static final String HEAD =
            "Content-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no\r\n";
    private static final String COMMENT = ": waiting for a replica\n\n";

    private final HttpExchange http;
    private ResponseWriter out;

    EarlyStream(HttpExchange http) {
        this.http = http;
    }

    /** Whether its head was sent. */
    boolean begun() {
        return out != null;
    }

    /** As {@link QueueTicket#await}; begins the stream if the wait is long and the request asks for one. */
    Outcome await(QueueTicket ticket, VersionQueue queue) {
        if (!begun() && !TextRequests.asksForStream(http.request())) {
            return ticket.await(queue);
        }
        Optional<Outcome> outcome = ticket.await(queue, begun() ? COMMENT_EVERY : HEAD_AFTER);
        while (outcome.isEmpty()) {
            try {
                tellOfWait(queue);
            } catch (IOException gone) {
                ticket.leave(queue, new Outcome.ClientLeft());
                return ticket.await(queue);
            }
            outcome = ticket.await(queue, COMMENT_EVERY);
        }
        return outcome.get();
    }

    private void tellOfWait(VersionQueue queue) throws IOException {
        if (!begun()) {
            out = http.respond(200, HEAD + queue.waitHeaders(), -1);
        }
        write(COMMENT);
    }

    /** What the rest of a replica's answer is written to: this stream, or a response that begins with its head. */
    ResponseWriter writer(int status, String headers, long length) throws IOException {
        return begun() ? out : http.respond(status, headers, length);
    }

    /** Ends the stream with an event that holds a whole answer, which is an error in OpenAI's form. */
    void end(HttpResponse answer) throws IOException {
        write("data: " + new String(answer.body(), 0, answer.length(), StandardCharsets.UTF_8) + "\n\n");
        out.end();
    }

    private void write(String event) throws IOException {
        byte[] bytes = event.getBytes(StandardCharsets.UTF_8);
        out.write(bytes, bytes.length);
    }
}
