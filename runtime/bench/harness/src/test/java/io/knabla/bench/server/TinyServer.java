package io.knabla.bench.server;

import com.sun.net.httpserver.HttpServer;
import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.wire.Call;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A server in its own process whose first answer is "not ready" and whose later answers are correct. */
public record TinyServer(String body) implements Server {
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        byte[] body = arguments[1].getBytes(StandardCharsets.US_ASCII);
        var asked = new AtomicInteger();
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            int status = asked.getAndIncrement() == 0 ? 503 : 200;
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.out.println("{\"event\":\"ready\",\"phases\":{\"boot\":1.5,\"load\":2}}");
    }

    @Override
    public String name() {
        return "tiny";
    }

    @Override
    public ChildProcess.Command command(int port) {
        return new ChildProcess.Command(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TinyServer.class.getName(),
                        Integer.toString(port),
                        body),
                Map.of());
    }

    @Override
    public Call call(int port) {
        String http = "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\nhi";
        return new Call(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                http.getBytes(StandardCharsets.US_ASCII),
                answer -> new String(answer.body(), StandardCharsets.US_ASCII).equals("right"));
    }

    @Override
    public Map<String, Double> phases(String output) {
        return ReadyEvent.phases(output);
    }
}
