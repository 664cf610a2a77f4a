package io.knabla.runtime.toy;

import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.ResponseWriter;
import io.knabla.runtime.serve.Endpoints;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ResponseHeaders;
import io.knabla.runtime.serve.ServedModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A protocol of a test, with its model: {@code POST /count} with a number answers with events that count down from it,
 * each sent as soon as the model has it.
 */
final class CountEndpoints implements Endpoints {
    private static final String PATH = "/count";

    private final ReplicaState state;
    private volatile Counter counter;

    CountEndpoints(ReplicaState state) {
        this.state = state;
    }

    /** A model that computes a number only when its test lets it. */
    static final class Counter implements ServedModel {
        final Semaphore leave = new Semaphore(0);
        volatile Duration overdue = Duration.ZERO;
        private final AtomicInteger running = new AtomicInteger();
        private final LongAdder runs = new LongAdder();

        int next(int number) throws InterruptedException {
            leave.acquire();
            runs.increment();
            return number - 1;
        }

        @Override
        public int running() {
            return running.get();
        }

        @Override
        public int waiting() {
            return leave.getQueueLength();
        }

        @Override
        public long runs() {
            return runs.sum();
        }

        @Override
        public Duration overdue() {
            return overdue;
        }

        @Override
        public void close() {}
    }

    @Override
    public String method(String path) {
        return path.equals(PATH) ? "POST" : null;
    }

    @Override
    public void loaded(ServedModel model) {
        counter = (Counter) model;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        exchange.readInflatedBody();
        state.awaitModel();
        HttpRequest request = exchange.request();
        ResponseHeaders headers = state.headersFor(request);
        state.answered(headers);
        int from = Integer.parseInt(new String(request.body(), 0, request.bodyLength(), StandardCharsets.US_ASCII));
        exchange.onClientGone(Thread.currentThread()::interrupt);
        counter.running.incrementAndGet();
        try {
            count(from, exchange.respond(200, "Content-Type: text/event-stream\r\n" + headers.toHeaderLines(), -1));
            state.metrics().succeeded(System.nanoTime() - request.arrived(), 0, 0);
            state.metrics().counted(from);
        } catch (InterruptedException left) {
            throw new IOException("the client left", left);
        } finally {
            counter.running.decrementAndGet();
        }
    }

    private void count(int from, ResponseWriter out) throws IOException, InterruptedException {
        for (int number = from; number > 0; number = counter.next(number)) {
            byte[] event = "data: %d\n\n".formatted(number).getBytes(StandardCharsets.US_ASCII);
            out.write(event, event.length);
        }
        out.end();
    }
}
