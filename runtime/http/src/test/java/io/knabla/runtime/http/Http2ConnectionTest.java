package io.knabla.runtime.http;

import static io.knabla.runtime.http.Http2Peer.block;
import static io.knabla.runtime.http.Http2Peer.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.runtime.http.Http2Peer.Answer;
import io.knabla.runtime.http.Http2Peer.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Well-behaved and hostile peers of HTTP/2; after each hostile one, another is still served. */
@Timeout(120)
class Http2ConnectionTest {
    private static final int BODY = 4 << 20;
    private static final Duration NEVER = Duration.ofDays(1);

    private final EchoHandler handler = new EchoHandler();
    private final HttpServer server;

    Http2ConnectionTest() throws IOException {
        server = open(NEVER, NEVER);
    }

    private HttpServer open(Duration idle, Duration transfer) throws IOException {
        var limits = new HttpLimits(BODY, 4L * BODY, 600, 600, NEVER, idle, transfer);
        return HttpServer.open(new InetSocketAddress("127.0.0.1", 0), handler, limits);
    }

    @AfterEach
    void othersAreStillServed() throws IOException {
        handler.gate = CompletableFuture.completedFuture(null);
        try (server;
                var peer = new Http2Peer(server.port())) {
            assertThat(peer.head(1, true, post()).answer(1).head()).containsEntry(":status", "200");
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5000, 16384, 16385, 70_000, 3_000_000})
    void answersWithTheBodyThroughAllWindows(int length) throws Exception {
        byte[] body = random(length);
        try (var peer = new Http2Peer(server.port())) {
            peer.head(1, false, post("content-length", Integer.toString(length)));
            var sender = CompletableFuture.runAsync(() -> send(peer, body));
            Answer answer = peer.answer(1);
            sender.join();
            assertThat(answer.head()).containsEntry(":status", "200").containsEntry("content-type", "text/plain");
            assertThat(answer.body()).isEqualTo(body);
        }
    }

    private static void send(Http2Peer peer, byte[] body) {
        try {
            for (int at = 0; at < body.length; at += 10_000) {
                int end = Math.min(body.length, at + 10_000);
                peer.awaitRoom(end - at);
                peer.data(1, false, Arrays.copyOfRange(body, at, end)).flush();
            }
            peer.data(1, true, new byte[0]).flush();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void answersManyStreamsOfOneConnectionAsTheyFinish() throws Exception {
        handler.gate = new CompletableFuture<>();
        try (var peer = new Http2Peer(server.port())) {
            for (int stream = 1; stream < 200; stream += 2) {
                peer.head(stream, false, post()).data(stream, true, new byte[] {(byte) stream});
            }
            peer.flush();
            handler.awaitEntered(100);
            handler.gate.complete(null);
            boolean[] seen = new boolean[200];
            for (int i = 0; i < 100; i++) {
                Frame data = peer.await(Http2Frame.DATA);
                assertThat(data.payload()).containsExactly((byte) data.stream());
                seen[data.stream()] = true;
            }
            for (int stream = 1; stream < 200; stream += 2) {
                assertThat(seen[stream]).isTrue();
            }
        }
    }

    @Test
    void smallWindowsOfThePeerAreKept() throws Exception {
        handler.answer = random(100);
        try (var peer = new Http2Peer(server.port())) {
            // INITIAL_WINDOW_SIZE 10.
            peer.frame(Http2Frame.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 10});
            peer.head(1, true, post());
            assertThat(peer.await(Http2Frame.DATA).payload()).hasSize(10);
            peer.window(1, 25);
            assertThat(peer.await(Http2Frame.DATA).payload()).hasSize(25);
            // 1000 are 990 more for each open stream.
            peer.frame(Http2Frame.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 3, (byte) 0xe8});
            Frame rest = peer.await(Http2Frame.DATA);
            assertThat(rest.payload()).hasSize(65);
            assertThat(rest.flags()).isEqualTo(Http2Frame.END_STREAM);
        }
    }

    @Test
    void acceptsPaddingPriorityContinuationsAndTrailers() throws Exception {
        byte[] block = post("x", "y");
        byte[] first = new byte[block.length / 2 + 8];
        first[0] = 2;
        System.arraycopy(block, 0, first, 6, block.length / 2);
        byte[] rest = Arrays.copyOfRange(block, block.length / 2, block.length);
        try (var peer = new Http2Peer(server.port())) {
            peer.frame(Http2Frame.HEADERS, Http2Frame.PADDED | Http2Frame.WITH_PRIORITY, 1, first)
                    .frame(Http2Frame.CONTINUATION, Http2Frame.END_HEADERS, 1, rest)
                    .frame(Http2Frame.DATA, Http2Frame.PADDED, 1, new byte[] {2, 'h', 'i', 0, 0})
                    .frame(77, 0, 0, new byte[3])
                    .head(1, true, block("a", "b"));
            assertThat(peer.answer(1).body()).asString().isEqualTo("hi");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "x, 'a\r\nEvil: 1'",
        "x, 'a\0'",
        "X-Upper, a",
        "'x y', a",
        "connection, close",
        "transfer-encoding, chunked",
        "te, gzip",
        ":path, /other",
        ":new, a",
        "host, other",
        "'', a"
    })
    void refusesHeadsThatReadOtherwiseInHttp1(String name, String value) throws Exception {
        try (var peer = new Http2Peer(server.port())) {
            peer.head(1, true, post(name, value));
            assertThat(peer.await(Http2Frame.RST_STREAM).code()).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(peer.head(3, true, post("x", "a")).answer(3).head()).containsEntry(":status", "200");
        }
    }

    @Test
    void refusesTooManyFieldsAndGoesOn() throws Exception {
        byte[] bomb = new byte[9000];
        byte[] entry = {0x40, 1, 'n', 100};
        System.arraycopy(entry, 0, bomb, 0, entry.length);
        Arrays.fill(bomb, 4, 104, (byte) 'v');
        Arrays.fill(bomb, 104, bomb.length, (byte) (0x80 | 62));
        try (var peer = new Http2Peer(server.port())) {
            assertThat(peer.head(1, true, bomb).answer(1).head()).containsEntry(":status", "431");
            assertThat(peer.head(3, true, post("x", "a")).answer(3).head()).containsEntry(":status", "200");
        }
    }

    @Test
    void closesOnEndlessContinuations() throws Exception {
        try (var peer = new Http2Peer(server.port())) {
            peer.frame(Http2Frame.HEADERS, 0, 1, post());
            for (int i = 0; i < 20; i++) {
                peer.frame(Http2Frame.CONTINUATION, 0, 1, new byte[1000]);
            }
            assertThat(peer.goAway()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM);
            peer.awaitEnd();
        }
    }

    @Test
    void closesOnRapidResets() throws Exception {
        try (var peer = new Http2Peer(server.port())) {
            for (int stream = 1; stream < 1000; stream += 2) {
                peer.head(stream, true, post()).frame(Http2Frame.RST_STREAM, 0, stream, new byte[4]);
            }
            assertThat(peer.goAway()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM);
            peer.awaitEnd();
        }
    }

    @Test
    void closesOnFloodsOfPings() throws Exception {
        try (var peer = new Http2Peer(server.port())) {
            var reader = CompletableFuture.supplyAsync(() -> {
                try {
                    return peer.goAway();
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
            for (int i = 0; i < 20_000 && !reader.isDone(); i++) {
                peer.frame(Http2Frame.PING, 0, 0, new byte[8]);
            }
            assertThat(reader.get()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM);
        } catch (SocketException closed) {
            assertThat(closed).isNotNull();
        }
    }

    @Test
    void refusesStreamsBeyondItsLimitUntilOthersEnd() throws Exception {
        handler.gate = new CompletableFuture<>();
        try (var peer = new Http2Peer(server.port())) {
            for (int i = 0; i < 257; i++) {
                peer.head(2 * i + 1, true, post());
            }
            Frame refused = peer.await(Http2Frame.RST_STREAM);
            assertThat(refused.stream()).isEqualTo(513);
            assertThat(refused.code()).isEqualTo(Http2Error.REFUSED_STREAM);
            handler.gate.complete(null);
            handler.awaitDone(256);
            // A handler is done a moment before its stream is counted out.
            int next = 515;
            while (!isServed(peer, next)) {
                next += 2;
            }
        }
    }

    private static boolean isServed(Http2Peer peer, int stream) throws IOException {
        try {
            peer.head(stream, true, post()).flush();
            Frame frame = peer.read();
            while (frame.stream() != stream) {
                frame = peer.read();
            }
            return frame.type() == Http2Frame.HEADERS;
        } catch (IOException closed) {
            throw new AssertionError(closed);
        }
    }

    @Test
    void closesOnBodiesBeyondTheirWindow() throws Exception {
        var unread = new EchoHandler() {
            @Override
            public void handle(HttpExchange exchange) {
                gate.join();
            }
        };
        unread.gate = new CompletableFuture<>();
        try (var other = HttpServer.open(new InetSocketAddress("127.0.0.1", 0), unread, HttpLimits.forBodies(BODY));
                var peer = new Http2Peer(other.port())) {
            peer.head(1, false, post());
            for (int i = 0; i <= Http2Connection.WINDOW / 16384; i++) {
                peer.data(1, false, new byte[16384]);
            }
            assertThat(peer.goAway()).isEqualTo(Http2Error.FLOW_CONTROL_ERROR);
            unread.gate.complete(null);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, '00', 1",
        "1, 2, '00', 1",
        "5, 1, '00', 1",
        "9, 1, '00', 1",
        "3, 1, '00000000', 1",
        "6, 0, '00', 6",
        "6, 1, '0000000000000000', 1",
        "4, 0, '00', 6",
        "4, 1, '', 1",
        "8, 0, '00000000', 1",
        "8, 0, '00', 6",
        "8, 0, '7fffffff', 3",
        "4, 0, '0004ffffffff', 3",
        "3, 0, '00000000', 1",
        "3, 1, '00', 6",
        "1, 1, '80', 9"
    })
    void closesOnFramesThatMakeNoSense(int type, int stream, String payload, int code) throws Exception {
        try (var peer = new Http2Peer(server.port())) {
            peer.frame(
                    type,
                    Http2Frame.END_HEADERS * (type == 1 ? 1 : 0),
                    stream,
                    HexFormat.of().parseHex(payload));
            assertThat(peer.goAway()).isEqualTo(code);
            peer.awaitEnd();
        }
    }

    @Test
    void closesOnFramesThatAreTooLarge() throws Exception {
        try (var peer = new Http2Peer(server.port())) {
            assertThat(peer.frame(Http2Frame.DATA, 0, 1, new byte[16385]).goAway())
                    .isEqualTo(Http2Error.FRAME_SIZE_ERROR);
        }
    }

    @Test
    void aResetEndsTheRequest() throws Exception {
        try (var peer = new Http2Peer(server.port())) {
            peer.head(1, false, post()).data(1, false, new byte[3]).frame(Http2Frame.RST_STREAM, 0, 1, new byte[4]);
            peer.flush();
            handler.awaitDone(1);
            assertThat(peer.head(3, true, post()).answer(3).head()).containsEntry(":status", "200");
        }
    }

    @Test
    void refusesBodiesThatAreTooLarge() throws Exception {
        try (var peer = new Http2Peer(server.port())) {
            peer.head(1, false, post("content-length", Integer.toString(BODY + 1)))
                    .data(1, false, new byte[10]);
            assertThat(peer.answer(1).head()).containsEntry(":status", "413");
        }
    }

    /** What the peer sent before it knew of the reset is dropped; after a reset of its own nothing may come. */
    @Test
    void closesOnWhatComesAfterTheResetOfARefusedStream() throws Exception {
        try (var peer = new Http2Peer(server.port())) {
            peer.head(1, false, post("content-length", Integer.toString(BODY + 1)))
                    .flush();
            peer.await(Http2Frame.RST_STREAM);
            peer.data(1, false, new byte[1]).awaitPong();
            peer.frame(Http2Frame.RST_STREAM, 0, 1, new byte[4]).head(1, true, post());
            assertThat(peer.goAway()).isEqualTo(Http2Error.STREAM_CLOSED);
        }
    }

    @Test
    void endsStreamsWhoseBodyDoesNotCome() throws Exception {
        try (var patient = open(NEVER, Duration.ofMillis(100));
                var peer = new Http2Peer(patient.port())) {
            peer.head(1, false, post()).data(1, false, new byte[3]);
            assertThat(peer.await(Http2Frame.RST_STREAM).code()).isEqualTo(Http2Error.CANCEL);
            handler.awaitDone(1);
        }
    }

    @Test
    void endsStreamsWhoseAnswerIsNotTaken() throws Exception {
        handler.answer = random(100_000);
        try (var patient = open(NEVER, Duration.ofMillis(100));
                var peer = new Http2Peer(patient.port())) {
            peer.head(1, true, post());
            assertThat(peer.await(Http2Frame.RST_STREAM).code()).isEqualTo(Http2Error.CANCEL);
            handler.awaitDone(1);
        } finally {
            handler.answer = null;
        }
    }

    @Test
    void closesIdleConnections() throws Exception {
        try (var patient = open(Duration.ofMillis(100), NEVER);
                var peer = new Http2Peer(patient.port())) {
            peer.awaitEnd();
        }
    }

    @Test
    void httpOneGoesOnBesideIt() throws Exception {
        try (var socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi".getBytes());
            assertThat(new String(socket.getInputStream().readAllBytes()))
                    .startsWith("HTTP/1.1 200")
                    .endsWith("hi");
        }
        try (var socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n".getBytes());
            assertThat(new String(socket.getInputStream().readAllBytes())).startsWith("HTTP/1.1 4");
        }
    }

    @Test
    void anErrorOfTheServerIsNoAnswer() {
        assertThatThrownBy(() -> {
                    try (var peer = new Http2Peer(server.port())) {
                        peer.head(2, true, post()).answer(2);
                    }
                })
                .hasMessageContaining("code 1");
    }
}
