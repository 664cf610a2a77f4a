package io.knabla.controller.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** HTTP server that stands in for the platform: returns prepared responses and records requests. */
public final class FakePlatform implements AutoCloseable {
    /** A recorded request; header names in lower case. */
    record RecordedRequest(String line, Map<String, String> headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /**
     * A prepared response.
     *
     * @param endless whether its body comes again and again, until the client leaves
     */
    public record Reply(int status, Map<String, String> headers, String body, boolean endless) {
        public Reply(int status, Map<String, String> headers, String body) {
            this(status, headers, body, false);
        }

        static Reply endless(String piece) {
            return new Reply(200, Map.of(), piece, true);
        }

        public static Reply ok(String body) {
            return new Reply(200, Map.of(), body);
        }

        /** Closes the connection instead of responding. */
        public static Reply broken() {
            return new Reply(0, Map.of(), "");
        }

        public static Reply status(int status, String body) {
            return new Reply(status, Map.of(), body);
        }
    }

    private final HttpServer server;
    private final Map<String, List<Reply>> replies = new HashMap<>();
    private final List<RecordedRequest> asked = Collections.synchronizedList(new ArrayList<>());

    public FakePlatform() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Sets the responses to one request line, in order; the last one repeats. */
    public FakePlatform on(String line, Reply... answers) {
        replies.put(line, new ArrayList<>(Arrays.asList(answers)));
        return this;
    }

    List<RecordedRequest> asked() {
        return List.copyOf(asked);
    }

    RecordedRequest asked(String line) {
        return asked().stream()
                .filter(one -> one.line().equals(line))
                .findFirst()
                .orElseThrow(() -> new AssertionError(line + " was not asked: " + lines()));
    }

    public List<String> lines() {
        return asked().stream().map(RecordedRequest::line).toList();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        var headers = new HashMap<String, String>();
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name.toLowerCase(), values.getFirst()));
        asked.add(new RecordedRequest(line, headers, exchange.getRequestBody().readAllBytes()));
        Reply reply = next(line);
        if (reply.status() == 0) {
            exchange.close();
            return;
        }
        reply.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        if (reply.endless()) {
            repeat(body, exchange);
        }
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(reply.status(), head || body.length == 0 ? -1 : body.length);
        try (exchange) {
            if (!head && body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private static void repeat(byte[] piece, HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        while (true) {
            exchange.getResponseBody().write(piece);
            exchange.getResponseBody().flush();
        }
    }

    private synchronized Reply next(String line) {
        List<Reply> left = replies.get(line);
        if (left == null) {
            return Reply.status(404, "{\"title\": \"Not found\", \"detail\": \"no such thing\"}");
        }
        return left.size() > 1 ? left.removeFirst() : left.getFirst();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
