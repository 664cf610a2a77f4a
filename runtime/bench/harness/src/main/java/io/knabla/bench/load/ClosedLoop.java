package io.knabla.bench.load;

import io.knabla.bench.statistics.LatencyHistogram;
import io.knabla.bench.wire.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Closed-loop load generator: keeps one request in flight on each of several connections. Uses one thread and one
 * selector, because it shares the cores with the server.
 */
public final class ClosedLoop {
    private static final long STALLED_MILLIS = 10_000;

    private ClosedLoop() {}

    public static LoadResult run(Call call, int connections, Duration window) {
        var latencies = new LatencyHistogram();
        var accepted = new AcceptedBodies(call.check());
        List<Connection> open = new ArrayList<>();
        try (Selector selector = Selector.open()) {
            long start = System.nanoTime();
            for (int i = 0; i < connections; i++) {
                open.add(Connection.open(selector, call, accepted));
            }
            for (Connection connection : open) {
                connection.send();
            }
            long end = start + window.toNanos();
            while (System.nanoTime() < end) {
                serve(selector, latencies, call.address());
            }
            return new LoadResult((System.nanoTime() - start) / 1e9, latencies);
        } catch (IOException error) {
            throw new UncheckedIOException("load on %s broke off".formatted(call.address()), error);
        } finally {
            open.forEach(Connection::close);
        }
    }

    private static void serve(Selector selector, LatencyHistogram latencies, InetSocketAddress server)
            throws IOException {
        if (selector.select(STALLED_MILLIS) == 0) {
            throw new IOException("no answer from %s for %d s".formatted(server, STALLED_MILLIS / 1000));
        }
        for (SelectionKey key : selector.selectedKeys()) {
            ((Connection) key.attachment()).readable(latencies);
        }
        selector.selectedKeys().clear();
    }
}
