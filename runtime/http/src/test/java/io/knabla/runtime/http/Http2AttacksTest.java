package io.knabla.runtime.http;

import static io.knabla.runtime.http.Http2Peer.post;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The known attacks on servers of HTTP/2. Each must be ended after a bounded number of frames and requests, or hold a
 * bounded number of bytes; the clock of the server stands still, so that its allowances are not renewed.
 */
@Timeout(120)
class Http2AttacksTest {
    /** More frames than any attack is allowed. */
    private static final int MANY = 40_000;

    private static final int BODY = 4 << 20;

    private final AtomicInteger handled = new AtomicInteger();
    private final EchoHandler handler = new EchoHandler() {
        @Override
        public HttpResponse refuse(HttpRequest request) {
            return request.header("stranger") == null ? null : HttpResponse.json(401, new byte[10_000]);
        }

        @Override
        public void handle(HttpExchange exchange) throws IOException {
            handled.incrementAndGet();
            super.handle(exchange);
        }
    };

    private HttpServer open() throws IOException {
        Duration never = Duration.ofDays(1);
        var limits = new HttpLimits(BODY, 2L * BODY, 1024, 1024, never, never, never);
        return HttpServer.open(new InetSocketAddress("127.0.0.1", 0), handler, limits, () -> 1);
    }

    /** Writes what precedes the attack, then one round of it. */
    private interface Attack {
        default void begin(Http2Peer peer) throws IOException {}

        void round(Http2Peer peer, int number) throws IOException;
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private static byte[] settings(int... values) {
        var settings = ByteBuffer.allocate(6 * values.length);
        for (int value : values) {
            settings.putShort((short) Http2Frame.INITIAL_WINDOW_SIZE).putInt(value);
        }
        return settings.array();
    }

    private static int stream(int number) {
        return 2 * number + 1;
    }

    /** Streams that have an answer to send and no window for it. */
    private static void block(Http2Peer peer, int streams) throws IOException {
        peer.frame(Http2Frame.SETTINGS, 0, 0, settings(0));
        for (int i = 0; i < streams; i++) {
            peer.head(stream(i), true, post("stranger", "x"));
        }
    }

    private static Arguments attack(String name, int rounds, int requests, Attack attack) {
        return Arguments.of(name, rounds, requests, attack);
    }

    private static Attack after(int blocked, Attack rounds) {
        return new Attack() {
            @Override
            public void begin(Http2Peer peer) throws IOException {
                block(peer, blocked);
            }

            @Override
            public void round(Http2Peer peer, int number) throws IOException {
                rounds.round(peer, number);
            }
        };
    }

    private static Attack inBody(Attack rounds) {
        return new Attack() {
            @Override
            public void begin(Http2Peer peer) throws IOException {
                peer.head(1, false, post());
            }

            @Override
            public void round(Http2Peer peer, int number) throws IOException {
                rounds.round(peer, number);
            }
        };
    }

    /** Enters a field of 100 bytes into the table, and refers to it some 15,000 times. */
    private static byte[] bomb() {
        byte[] bomb = new byte[15_000];
        Arrays.fill(bomb, (byte) (0x80 | 62));
        Arrays.fill(bomb, 0, 104, (byte) 'v');
        System.arraycopy(new byte[] {0x40, 1, 'n', 100}, 0, bomb, 0, 4);
        return bomb;
    }

    private static Attack inHead(byte[] piece) {
        return new Attack() {
            @Override
            public void begin(Http2Peer peer) throws IOException {
                peer.frame(Http2Frame.HEADERS, 0, 1, post());
            }

            @Override
            public void round(Http2Peer peer, int number) throws IOException {
                peer.frame(Http2Frame.CONTINUATION, 0, 1, piece);
            }
        };
    }

    /** Name, rounds and requests after which it must be over. */
    static Stream<Arguments> attacks() {
        return Stream.concat(ofStreams(), ofFrames());
    }

    private static Stream<Arguments> ofStreams() {
        return Stream.of(
                attack(
                        "rapid reset, CVE-2023-44487",
                        201,
                        201,
                        (peer, i) -> peer.head(stream(i), true, post())
                                .frame(Http2Frame.RST_STREAM, 0, stream(i), number(8))),
                attack(
                        "MadeYouReset by a window, CVE-2025-8671",
                        201,
                        201,
                        (peer, i) -> peer.head(stream(i), false, post()).window(stream(i), Integer.MAX_VALUE)),
                attack(
                        "MadeYouReset by a length, CVE-2025-8671",
                        201,
                        201,
                        (peer, i) -> peer.head(stream(i), true, post("content-length", "5"))),
                attack(
                        "MadeYouReset by data after the end, CVE-2025-8671",
                        1,
                        1,
                        (peer, i) -> peer.head(stream(i), true, post()).data(stream(i), false, new byte[1])),
                attack("HPACK bomb, CVE-2016-6581", 201, 201, (peer, i) -> peer.head(stream(i), true, bomb())),
                attack("malformed heads", 201, 0, (peer, i) -> peer.head(stream(i), true, post("X", "y"))),
                attack("empty names, CVE-2019-9516", 201, 0, (peer, i) -> peer.head(stream(i), true, post("", ""))));
    }

    private static Stream<Arguments> ofFrames() {
        int[] toggled = new int[2730];
        Arrays.setAll(toggled, i -> i & 1);
        return Stream.of(
                attack("CONTINUATION flood, CVE-2024-27316", 201, 0, inHead(new byte[0])),
                attack("CONTINUATION of large fields", 20, 0, inHead(new byte[1000])),
                attack(
                        "PING flood, CVE-2019-9512",
                        10_001,
                        0,
                        (peer, i) -> peer.frame(Http2Frame.PING, 0, 0, new byte[8])),
                attack("SETTINGS flood, CVE-2019-9515", 10_001, 0, (peer, i) -> peer.frame(Http2Frame.SETTINGS, 0, 0)),
                attack(
                        "SETTINGS of many windows",
                        4,
                        0,
                        after(200, (peer, i) -> peer.frame(Http2Frame.SETTINGS, 0, 0, settings(toggled)))),
                attack(
                        "SETTINGS that let streams go on, CVE-2019-9511",
                        5_001,
                        0,
                        after(200, (peer, i) -> peer.frame(Http2Frame.SETTINGS, 0, 0, settings(i + 1)))),
                attack("windows of one byte, CVE-2019-9511", 10_100, 0, after(1, (peer, i) -> peer.window(1, 1))),
                attack("windows of a connection, CVE-2019-9517", 11_000, 0, after(200, (peer, i) -> peer.window(0, 1))),
                attack(
                        "PRIORITY churn, CVE-2019-9513",
                        10_001,
                        0,
                        (peer, i) -> peer.frame(Http2Frame.PRIORITY, 0, stream(i), new byte[5])),
                attack("empty frames, CVE-2019-9518", 10_001, 1, inBody((peer, i) -> peer.data(1, false, new byte[0]))),
                attack(
                        "frames of padding",
                        10_001,
                        1,
                        inBody((peer, i) -> peer.frame(Http2Frame.DATA, Http2Frame.PADDED, 1, new byte[] {0}))),
                attack("frames of one byte", 10_001, 1, inBody((peer, i) -> peer.data(1, false, new byte[1]))),
                attack("unknown frames", 10_001, 0, (peer, i) -> peer.frame(77, 0, 0)),
                attack("GOAWAY flood", 10_001, 0, (peer, i) -> peer.frame(Http2Frame.GOAWAY, 0, 0, new byte[8])));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void endsAfterABoundedNumberOfFrames(String name, int rounds, int requests, Attack attack) throws Exception {
        try (var server = open()) {
            try (var peer = new Http2Peer(server.port())) {
                Thread.ofVirtual().start(() -> attack(peer, attack, rounds));
                assertThat(peer.goAwayDuringWrites()).isIn(Http2Error.ENHANCE_YOUR_CALM, Http2Error.STREAM_CLOSED);
            }
            assertThat(handled.get()).isLessThanOrEqualTo(requests);
            expectService(server);
        }
    }

    /** No more than the rounds that are allowed: more would only fill the sockets of a server that holds them off. */
    private static void attack(Http2Peer peer, Attack attack, int rounds) {
        try {
            attack.begin(peer);
            for (int i = 0; i < Math.min(rounds, MANY); i++) {
                attack.round(peer, i);
            }
            peer.flush();
        } catch (IOException closed) {
            // It is over.
        }
    }

    private static void expectService(HttpServer server) throws IOException {
        try (var peer = new Http2Peer(server.port())) {
            assertThat(peer.head(1, true, post()).answer(1).head()).containsEntry(":status", "200");
        }
    }
}
