package io.knabla.controller.knative.suite;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls a function ten times a second through Knative's data path, however long answers take, and never again. */
final class SteadyCalls implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final List<Failure> failed = new CopyOnWriteArrayList<>();
    private final long began = System.nanoTime();
    private final HttpRequest request;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
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

    /**
     * A call without the status 200.
     *
     * @param sent since the first call
     */
    record Failure(Duration sent, Duration took, String why) {
        @Override
        public String toString() {
            return "the call of %d ms failed after %d ms: %s".formatted(sent.toMillis(), took.toMillis(), why);
        }
    }

    /**
     * @param url of the function, as in its status, with a path
     * @param timeout after which a call counts as failed
     */
    SteadyCalls(String url, byte[] body, Duration timeout) {
        URI wanted = URI.create(url);
        request = HttpRequest.newBuilder(TestCluster.ingress().resolve(wanted.getRawPath()))
                .timeout(timeout)
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
            long start = System.nanoTime();
            failure()
                    .map(why -> new Failure(
                            Duration.ofNanos(start - began), Duration.ofNanos(System.nanoTime() - start), why))
                    .ifPresent(failed::add);
            open.decrementAndGet();
        });
    }

    private Optional<String> failure() {
        try {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            return Optional.of("%d %s".formatted(answer.statusCode(), answer.body()))
                    .filter(_ -> answer.statusCode() != 200);
        } catch (IOException broken) {
            return Optional.of(broken.toString());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** In the order in which they failed. */
    List<Failure> failures() {
        return List.copyOf(failed);
    }

    /** Those since the start. */
    Count count() {
        return new Count(sent.get(), failed.size());
    }

    /** Stops, and waits for the answers that are still missing. */
    @Override
    public void close() {
        timer.shutdownNow();
        TestCluster.await().until(() -> open.get() == 0);
        http.close();
    }
}
