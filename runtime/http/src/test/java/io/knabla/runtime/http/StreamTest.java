package io.knabla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests bodies and answers that stream, and the client side, over real sockets. */
@Timeout(60)
class StreamTest {
    /** A handler of one method. */
    private interface Handling {
        void handle(HttpExchange exchange) throws IOException;
    }

    private static HttpServer server(Handling handling) throws IOException {
        return HttpServer.open(
                new InetSocketAddress("127.0.0.1", 0),
                new HttpHandler() {
                    @Override
                    public HttpResponse refuse(HttpRequest request) {
                        return null;
                    }

                    @Override
                    public void handle(HttpExchange exchange) throws IOException {
                        handling.handle(exchange);
                    }

                    @Override
                    public void done() {}

                    @Override
                    public HttpResponse error(int status, String sentence) {
                        return HttpResponse.json(status, sentence.getBytes(StandardCharsets.UTF_8));
                    }
                },
                HttpLimits.forBodies(1 << 20));
    }

    private static ClientConnection connect(HttpServer server) throws IOException {
        return ClientConnection.open(new InetSocketAddress("127.0.0.1", server.port()), 10_000);
    }

    private static void send(ClientConnection connection, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        connection.begin(false);
        connection.send(bytes, bytes.length);
    }

    private static String body(ClientConnection connection) throws IOException {
        var text = new StringBuilder();
        byte[] piece = new byte[1000];
        for (int count = connection.read(piece); count >= 0; count = connection.read(piece)) {
            text.append(new String(piece, 0, count, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    private static void leave(ClientConnection connection) {
        connection.close();
    }

    /** Sends the body back while it arrives. */
    private static void echo(HttpExchange exchange) throws IOException {
        ResponseWriter out = exchange.respond(200, "", exchange.declaredLength());
        byte[] piece = new byte[700];
        for (int count = exchange.read(piece); count >= 0; count = exchange.read(piece)) {
            out.write(piece, count);
        }
        out.end();
    }

    @Test
    void aBodyAndItsAnswerMayStream() throws Exception {
        byte[] random = new byte[100_000];
        new Random(5).nextBytes(random);
        String body = new String(random, StandardCharsets.ISO_8859_1);
        try (var server = server(StreamTest::echo);
                var connection = connect(server)) {
            send(connection, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + body);
            assertThat(connection.readHead().status()).isEqualTo(200);
            assertThat(body(connection)).isEqualTo(body);
        }
    }

    @Test
    void anAnswerOfUnknownLengthComesInChunksAndKeepsTheConnection() throws Exception {
        try (var server = server(exchange -> {
                    exchange.readBody();
                    ResponseWriter out = exchange.respond(200, "A: b\r\n", -1);
                    out.write("hello ".getBytes(StandardCharsets.US_ASCII), 6);
                    out.write("world".getBytes(StandardCharsets.US_ASCII), 5);
                    out.end();
                });
                var connection = connect(server)) {
            for (int i = 0; i < 2; i++) {
                send(
                        connection,
                        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
                ResponseHead head = connection.readHead();
                assertThat(head.headers().get("Transfer-Encoding")).isEqualTo("chunked");
                assertThat(head.headers().get("a")).isEqualTo("b");
                assertThat(body(connection)).isEqualTo("hello world");
                assertThat(connection.reusable()).isTrue();
            }
        }
    }

    @Test
    void anAnswerThatIsNotEndedLooksBroken() throws Exception {
        try (var server = server(exchange ->
                        exchange.respond(200, "", -1).write("half".getBytes(StandardCharsets.US_ASCII), 4));
                var connection = connect(server)) {
            send(connection, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            connection.readHead();
            assertThatThrownBy(() -> body(connection)).isInstanceOf(IOException.class);
            assertThat(connection.reusable()).isFalse();
        }
    }

    @Test
    void readsOnlyAsMuchOfABodyAsAsked() throws Exception {
        var seen = new CompletableFuture<String>();
        try (var server = server(exchange -> {
                    boolean whole = exchange.readBody(4);
                    int kept = exchange.request().bodyLength();
                    byte[] rest = new byte[100];
                    seen.complete(whole + " " + kept + " " + exchange.read(rest) + " " + exchange.read(rest));
                    exchange.respond(HttpResponse.json(200, new byte[0]));
                });
                var connection = connect(server)) {
            send(connection, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789");
            connection.readHead();
            assertThat(seen.join()).isEqualTo("false 4 6 -1");
        }
    }

    @Test
    void refusesABodyBeyondItsLimit() throws Exception {
        try (var server = server(exchange -> {
            exchange.limitBody(5, "send less");
            exchange.readBody(100);
            exchange.respond(HttpResponse.json(200, new byte[0]));
        })) {
            for (String body : new String[] {
                "Content-Length: 6\r\n\r\n012345", "Transfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n0\r\n\r\n"
            }) {
                try (var connection = connect(server)) {
                    send(connection, "POST / HTTP/1.1\r\nHost: x\r\n" + body);
                    assertThat(connection.readHead().status()).isEqualTo(413);
                }
            }
        }
    }

    @Test
    void noticesThatTheClientLeavesWhileItWaits() throws Exception {
        var left = new CountDownLatch(1);
        var entered = new CountDownLatch(1);
        try (var server = server(exchange -> {
                    exchange.readBody();
                    exchange.onClientGone(left::countDown);
                    entered.countDown();
                    try {
                        left.await();
                    } catch (InterruptedException stopping) {
                        throw new IOException(stopping);
                    }
                });
                var connection = connect(server)) {
            send(connection, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            entered.await();
            leave(connection);
            left.await();
        }
    }

    /** The second request is sent with the first, or after its answer. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientThatWaitedLongMaySendItsNextRequest(boolean pipelined) throws Exception {
        String next = "GET /2 HTTP/1.1\r\nHost: x\r\n\r\n";
        var gate = new CountDownLatch(1);
        var gone = new CountDownLatch(1);
        try (var server = server(exchange -> {
                    exchange.readBody();
                    exchange.onClientGone(gone::countDown);
                    try {
                        gate.await();
                    } catch (InterruptedException stopping) {
                        throw new IOException(stopping);
                    }
                    exchange.respond(
                            HttpResponse.json(200, exchange.request().target().getBytes(StandardCharsets.US_ASCII)));
                });
                var patient = connect(server);
                var other = connect(server)) {
            send(patient, "GET /1 HTTP/1.1\r\nHost: x\r\n\r\n" + (pipelined ? next : ""));
            // Sweeps look after both; when the second is found gone, the first was looked at too.
            send(other, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            leave(other);
            gone.await();
            gate.countDown();
            patient.readHead();
            assertThat(body(patient)).isEqualTo("/1");
            send(patient, pipelined ? "" : next);
            patient.readHead();
            assertThat(body(patient)).isEqualTo("/2");
        }
    }

    @Test
    void aPoolReusesWhatWasReadToItsEnd() throws Exception {
        try (var server = server(exchange -> {
                    exchange.readBody();
                    exchange.respond(HttpResponse.json(200, new byte[10]));
                });
                var pool = new ConnectionPool(new InetSocketAddress("127.0.0.1", server.port()))) {
            ClientConnection first = pool.take();
            send(first, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            first.readAll((int) ClientConnection.length(first.readHead()));
            pool.give(first);
            assertThat(pool.take()).isSameAs(first);

            send(first, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            first.readHead();
            pool.give(first);
            assertThat(pool.take()).as("half an answer was left").isNotSameAs(first);
        }
    }

    @Test
    void tellsThatAServerBreaksOff() throws Exception {
        try (var server = server(exchange -> {
                    throw new IOException("gone");
                });
                var connection = connect(server)) {
            send(connection, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThatThrownBy(() -> connection.readHead()).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void refusesAMalformedResponse() {
        for (String head : new String[] {"HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1\r\n\r\n"}) {
            byte[] bytes = head.getBytes(StandardCharsets.US_ASCII);
            assertThatThrownBy(() -> HeadParser.response(bytes, 0)).isInstanceOf(HttpFault.class);
        }
    }
}
