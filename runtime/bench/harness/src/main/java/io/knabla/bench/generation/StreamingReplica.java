package io.knabla.bench.generation;

import io.knabla.bench.server.RunningServer;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

/**
 * A replica that streams the texts of a batch to as many callers at once. They share its cores, so they only read: an
 * HTTP client that takes each event apart would cost as much as the replica's own work beside its engine.
 */
record StreamingReplica(RunningServer replica, Batch batch) implements TextPlayer {
    private static final Pattern GENERATED = Pattern.compile("\"completion_tokens\":(\\d+)");

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

    private long tokens(int[] prompt) throws IOException {
        try (Socket socket = new TextCaller(replica.port()).open(prompt, batch.tokens())) {
            String stream = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return GENERATED
                    .matcher(stream)
                    .results()
                    .mapToLong(found -> Long.parseLong(found.group(1)))
                    .sum();
        }
    }

    @Override
    public void close() {
        replica.close();
    }
}
