package io.knabla.controller.cost.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Replays the files beside it as the APIs of AWS, over HTTP; a test may replace answers by its own. */
final class ReplayServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** @param action of the API, such as {@code GetProducts} */
    record Call(String action, String body) {}

    /** @param missing bytes that the length promises and the body lacks */
    record Answer(int status, String body, int missing) {
        static Answer ok(String body) {
            return new Answer(200, body, 0);
        }
    }

    final List<Call> calls = new CopyOnWriteArrayList<>();

    private final ConcurrentHashMap<String, Function<Call, Optional<Answer>>> replaced = new ConcurrentHashMap<>();
    private final HttpServer server;

    ReplayServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** @param answer empty for the file's */
    void replace(String action, Function<Call, Optional<Answer>> answer) {
        replaced.put(action, answer);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Call call = new Call(action(exchange, body), body);
            calls.add(call);
            Answer answer = replaced.getOrDefault(call.action(), _ -> Optional.empty())
                    .apply(call)
                    .orElseGet(() -> Answer.ok(recorded(call)));
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), bytes.length + answer.missing());
            OutputStream out = exchange.getResponseBody();
            out.write(bytes);
            out.flush();
        }
    }

    private static String action(HttpExchange exchange, String body) {
        String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
        if (target != null) {
            return target.substring(target.indexOf('.') + 1);
        }
        String path = exchange.getRequestURI().getPath().substring(1);
        return path.isEmpty() ? field(body, "Action") : path;
    }

    static String field(String form, String name) {
        return List.of(form.split("&")).stream()
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8))
                .findFirst()
                .orElse("");
    }

    static String recorded(Call call) {
        return switch (call.action()) {
            case "GetProducts" -> products(call.body());
            case "DescribeAvailabilityZones" -> file("zones.xml");
            case "DescribeSpotPriceHistory" ->
                file(field(call.body(), "NextToken").equals("page+2/=") ? "spot-2.xml" : "spot-1.xml");
            case "DescribeSavingsPlansOfferingRates" ->
                file(call.body().contains("page-2") ? "savings-2.json" : "savings-1.json");
            case String other -> throw new IllegalArgumentException("no answer is recorded for " + other);
        };
    }

    /** Two products a page. */
    private static String products(String body) {
        try {
            JsonNode request = JSON.readTree(body);
            JsonNode all = JSON.readTree(
                    switch (request.path("ServiceCode").asText()) {
                        case "AWSLambda" -> file("lambda.json");
                        case "AmazonECS" -> file("fargate.json");
                        case String _ -> body.contains("g5.xlarge") ? file("g5.xlarge.json") : "[]";
                    });
            int from = request.path("NextToken").asInt(0);
            var page = JSON.createObjectNode().put("FormatVersion", "aws_v1");
            var list = page.putArray("PriceList");
            for (int i = from; i < Math.min(from + 2, all.size()); i++) {
                list.add(all.get(i).toString());
            }
            if (from + 2 < all.size()) {
                page.put("NextToken", String.valueOf(from + 2));
            }
            return page.toString();
        } catch (IOException bad) {
            throw new UncheckedIOException(bad);
        }
    }

    static String file(String name) {
        try (InputStream bytes = ReplayServer.class.getResourceAsStream(name)) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException bad) {
            throw new UncheckedIOException(bad);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
