package io.knabla.bench.generation;

import io.knabla.bench.server.RunningServer;
import io.knabla.bench.server.TextServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A replica that streams the texts of a batch to as many callers at once. */
record StreamingReplica(RunningServer replica, Batch batch, HttpClient http) implements TextPlayer {
    private static final Pattern GENERATED = Pattern.compile("\"completion_tokens\":(\\d+)");

    StreamingReplica(RunningServer replica, Batch batch) {
        this(
                replica,
                batch,
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    }

    @Override
    public String name() {
        return "the replica, by HTTP";
    }

    @Override
    public double seconds() throws InterruptedException, ExecutionException {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            long start = System.nanoTime();
            List<Future<Long>> streams = new ArrayList<>();
            for (int row = 0; row < batch.size(); row++) {
                int[] prompt = batch.prompt(row);
                streams.add(callers.submit(() -> tokens(prompt)));
            }
            long tokens = 0;
            for (Future<Long> stream : streams) {
                tokens += stream.get();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            if (tokens != batch.allTokens()) {
                throw new IllegalStateException("%d tokens came, not %d".formatted(tokens, batch.allTokens()));
            }
            return seconds;
        }
    }

    private long tokens(int[] prompt) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:%d%s".formatted(replica.port(), TextServer.PATH)))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(TextServer.body(prompt, batch.tokens(), true)))
                .build();
        try (Stream<String> lines = http.send(request, BodyHandlers.ofLines()).body()) {
            return lines.map(GENERATED::matcher)
                    .filter(Matcher::find)
                    .mapToLong(found -> Long.parseLong(found.group(1)))
                    .sum();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    @Override
    public void close() {
        http.close();
        replica.close();
    }
}
