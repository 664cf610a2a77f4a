package io.knabla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConnectionPoolTest {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final AtomicLong clock = new AtomicLong();

    @Test
    void connectionsOfABurstAreClosedWithoutFurtherCalls() throws IOException {
        try (var server = HttpServer.open(
                        new InetSocketAddress("127.0.0.1", 0), new EchoHandler(), HttpLimits.forBodies(1 << 20));
                var pool = new ConnectionPool(new InetSocketAddress("127.0.0.1", server.port()), clock::get)) {
            ClientConnection first = called(pool.open());
            ClientConnection second = called(pool.open());
            ClientConnection latest = called(pool.open());
            pool.give(first);
            pool.give(second);
            clock.addAndGet(Duration.ofSeconds(19).toNanos());
            pool.give(latest);
            pool.closeStale();
            assertThat(first.reusable() && second.reusable() && latest.reusable())
                    .isTrue();

            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            pool.closeStale();
            assertThat(first.reusable()).isFalse();
            assertThat(second.reusable()).isFalse();
            assertThat(pool.take()).isSameAs(latest);
        }
    }

    private static ClientConnection called(ClientConnection connection) throws IOException {
        connection.begin(false);
        connection.send(REQUEST, REQUEST.length);
        ResponseHead head = connection.readHead();
        connection.readAll((int) ClientConnection.length(head));
        return connection;
    }
}
