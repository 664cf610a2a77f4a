package io.knabla.runtime.openai;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.ResponseWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A response of server-sent events (WHATWG HTML, 9.2), written by several threads, one event at a time. */
final class EventStream {
    private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COMMENT = ": \n\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DONE = "[DONE]".getBytes(StandardCharsets.US_ASCII);

    private final ResponseWriter writer;
    private final Lock lock = new ReentrantLock();
    private boolean ended;

    private EventStream(ResponseWriter writer) {
        this.writer = writer;
    }

    static EventStream begin(HttpExchange exchange, String headers) throws IOException {
        return new EventStream(
                exchange.respond(200, "Content-Type: text/event-stream\r\nCache-Control: no-store\r\n" + headers, -1));
    }

    void data(byte[] json) throws IOException {
        byte[] event = new byte[DATA.length + json.length + END.length];
        System.arraycopy(DATA, 0, event, 0, DATA.length);
        System.arraycopy(json, 0, event, DATA.length, json.length);
        System.arraycopy(END, 0, event, DATA.length + json.length, END.length);
        write(event);
    }

    /** Clients skip it; it shows those between that the answer is still to come. */
    void comment() throws IOException {
        write(COMMENT);
    }

    private void write(byte[] event) throws IOException {
        lock.lock();
        try {
            if (!ended) {
                writer.write(event, event.length);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends a whole answer. */
    void done() throws IOException {
        data(DONE);
        end();
    }

    /** Ends the response, of which no event follows. */
    void end() throws IOException {
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                writer.end();
            }
        } finally {
            lock.unlock();
        }
    }
}
