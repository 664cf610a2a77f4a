package io.knabla.runtime.http;

import static io.knabla.runtime.http.Http2Peer.post;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What bodies that nobody reads may take of the memory, and streams of the connections. */
@Timeout(120)
class Http2MemoryTest {
    /** What a connection of bodies of {@link Http2Connection#WINDOW} bytes may reserve. */
    private static final long MOST_OF_CONNECTION = Http2Connection.WINDOW + (192 << 10);

    private final CompletableFuture<Void> mayRead = new CompletableFuture<>();

    /** Refuses strangers; reads a body only once it may. */
    private final EchoHandler handler = new EchoHandler() {
        @Override
        public HttpResponse refuse(HttpRequest request) {
            return request.header("stranger") == null ? null : HttpResponse.json(401, new byte[10_000]);
        }

        @Override
        public void handle(HttpExchange exchange) throws IOException {
            mayRead.join();
            super.handle(exchange);
        }
    };

    private HttpServer open(long buffered, int connections) throws IOException {
        Duration never = Duration.ofDays(1);
        var limits = new HttpLimits(4 << 20, buffered, connections, connections, never, never, never);
        return HttpServer.open(new InetSocketAddress("127.0.0.1", 0), handler, limits);
    }

    private static void send(Http2Peer peer, int bytes, int piece) throws IOException {
        for (int sent = 0; sent < bytes; sent += piece) {
            peer.data(1, false, new byte[piece]);
        }
        peer.awaitPong();
    }

    @Test
    void theBodyOfARefusedRequestIsNotKept() throws Exception {
        try (var server = open(8 << 20, 100);
                var peer = new Http2Peer(server.port())) {
            // No window: the answer cannot end.
            peer.frame(Http2Frame.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
            peer.head(1, false, post("stranger", "x"));
            send(peer, 200_000, 1000);
            // What came before the head was looked at is dropped then, and nothing is kept after it.
            while (server.heldBytes() > 0) {
                peer.awaitPong();
            }
            send(peer, 200_000, 1000);
            assertThat(server.heldBytes()).isZero();
        }
    }

    @Test
    void smallPiecesTakeHardlyMoreThanTheirBytes() throws Exception {
        try (var server = open(8 << 20, 100);
                var peer = new Http2Peer(server.port())) {
            peer.head(1, false, post());
            send(peer, 500_000, 5);
            assertThat(server.heldBytes()).isBetween(400_000L, MOST_OF_CONNECTION);
            peer.data(1, true, new byte[1]);
            mayRead.complete(null);
            assertThat(peer.answer(1).body()).hasSize(500_001);
        }
    }

    @Test
    void largePiecesAreReserved() throws Exception {
        try (var server = open(8 << 20, 100);
                var peer = new Http2Peer(server.port())) {
            peer.head(1, false, post());
            send(peer, 480_000, 16_000);
            assertThat(server.heldBytes()).isBetween(400_000L, MOST_OF_CONNECTION);
        }
    }

    @Test
    void aBodyWithoutMemoryIsRefusedWithASentence() throws Exception {
        try (var server = open(300_000, 100);
                var peer = new Http2Peer(server.port())) {
            peer.head(1, false, post());
            send(peer, 480_000, 16_000);
            assertThat(server.heldBytes()).isZero();
            mayRead.complete(null);
            assertThat(peer.answer(1).head()).containsEntry(":status", "503");
        }
    }

    @Test
    void streamsLeaveRoomForConnections() throws Exception {
        try (var server = open(8 << 20, 8);
                var peer = new Http2Peer(server.port());
                var other = new Http2Peer(server.port())) {
            for (int i = 0; i < 7; i++) {
                peer.head(2 * i + 1, false, post());
            }
            Http2Peer.Frame refused = peer.await(Http2Frame.RST_STREAM);
            assertThat(refused.stream()).isEqualTo(13);
            assertThat(refused.code()).isEqualTo(Http2Error.REFUSED_STREAM);
            other.awaitPong();
            mayRead.complete(null);
        }
    }
}
