package io.knabla.controller.knative.suite;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls a function ten times a second through Knative's data path, however long answers take, and never again. */
final class SteadyCalls implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final HttpRequest request;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    /** @param failed of those sent */
    record Count(int sent, int failed) {
        static final Count NONE = new Count(0, 0);

        Count plus(Count other) {
            return new Count(sent + other.sent, failed + other.failed);
        }

        @Override
        public String toString() {
            return "%d of %d".formatted(failed, sent);
        }
    }

    /** @param url of the function, as in its status, with a path */
    SteadyCalls(String url, byte[] body) {
        URI wanted = URI.create(url);
        request = HttpRequest.newBuilder(TestCluster.ingress().resolve(wanted.getRawPath()))
                .timeout(TIMEOUT)
                .header("Host", wanted.getHost())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        timer.scheduleAtFixedRate(this::send, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void send() {
        sent.incrementAndGet();
        open.incrementAndGet();
        Thread.startVirtualThread(() -> {
            if (!succeeds()) {
                failed.incrementAndGet();
            }
            open.decrementAndGet();
        });
    }

    private boolean succeeds() {
        try {
            return http.send(request, BodyHandlers.ofString()).statusCode() == 200;
        } catch (IOException broken) {
            return false;
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Those since the start. */
    Count count() {
        return new Count(sent.get(), failed.get());
    }

    /** Stops, and waits for the answers that are still missing. */
    @Override
    public void close() {
        timer.shutdownNow();
        TestCluster.await().until(() -> open.get() == 0);
        http.close();
    }
}
