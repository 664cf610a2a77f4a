package io.knabla.runtime.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/** Responds with the request's body, or with {@link #answer}; its gate can block requests. */
class EchoHandler implements HttpHandler {
    private final Semaphore entered = new Semaphore(0);
    private final Semaphore done = new Semaphore(0);
    volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);
    volatile byte[] answer;

    @Override
    public HttpResponse refuse(HttpRequest request) {
        return null;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        exchange.readBody();
        exchange.respond(answer(exchange.request()));
    }

    private HttpResponse answer(HttpRequest request) {
        entered.release();
        gate.join();
        byte[] body = answer == null ? request.body() : answer;
        int length = answer == null ? request.bodyLength() : answer.length;
        return new HttpResponse(200, "text/plain", "", body, length);
    }

    @Override
    public void done() {
        done.release();
    }

    @Override
    public HttpResponse error(int status, String sentence) {
        return HttpResponse.json(status, sentence.getBytes(StandardCharsets.UTF_8));
    }

    /** Waits until {@code count} requests in total have entered the handler. */
    void awaitEntered(int count) throws InterruptedException {
        await(entered, count);
    }

    /** Waits until {@code count} requests in total are done. */
    void awaitDone(int count) throws InterruptedException {
        await(done, count);
    }

    private static void await(Semaphore events, int count) throws InterruptedException {
        events.acquire(count);
        events.release(count);
    }
}
