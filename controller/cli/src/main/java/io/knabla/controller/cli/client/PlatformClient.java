package io.knabla.controller.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.CommonOptions;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Documents;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** HTTP client of one platform: its control API and its functions. */
public final class PlatformClient {
    private static final String API = "/api/v1";
    private static final int MAX_PORT = 65_535;

    private final Address address;
    private final Optional<String> token;
    private final Console console;
    private final boolean verbose;
    private final HttpClient http;

    public PlatformClient(Settings settings, CommonOptions options, Console console) {
        this(checkedUrl("--server", settings.server(options.server)), settings.find("token"), console, options.verbose);
    }

    /** @param server address of the platform, without a trailing slash */
    public PlatformClient(String server, Optional<String> token, Console console, boolean verbose) {
        this(new Address.Fixed(server), token, console, verbose);
    }

    /** @param verbose whether each call is logged */
    public PlatformClient(Address address, Optional<String> token, Console console, boolean verbose) {
        this.address = address;
        this.token = token;
        this.console = console;
        this.verbose = verbose;
        this.http = HttpClient.newBuilder()
                .version(Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .build();
    }

    /**
     * Checks an address that a user typed and removes a trailing slash.
     *
     * @param option that the address came from, for the message
     */
    public static String checkedUrl(String option, String server) {
        String url = server.contains("://") ? server : "http://" + server;
        try {
            var uri = URI.create(url);
            if (uri.getHost() != null && uri.getScheme().startsWith("http") && uri.getPort() <= MAX_PORT) {
                return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
            }
        } catch (IllegalArgumentException malformed) {
            // reported below
        }
        throw CliFailure.usageError("'%s' is no address. Write %s http://HOST:PORT.", server, option);
    }

    public String server() {
        return address.url();
    }

    /** Resolves the platform's address again after a broken connection. */
    void refreshAddress() {
        address.refresh();
    }

    /** Path of one function, relative to {@code /api/v1} or to the platform's root. */
    public static String functionPath(String namespace, String name) {
        return "/functions/" + pathSegment(namespace) + "/" + pathSegment(name);
    }

    /** Endpoint of the function's Open Inference Protocol API. */
    public FunctionEndpoint endpoint(String namespace, String name) {
        return new FunctionEndpoint(this, server() + functionPath(namespace, name), Map.of(), name);
    }

    /** Reads from the control API; a failure carries the platform's message. */
    public JsonNode get(String path) {
        return expectSuccess(api("GET", path, BodyPublishers.noBody(), Map.of()), "GET " + path);
    }

    public JsonNode send(String method, String path, Object document) {
        return expectSuccess(sendRaw(method, path, document), method + " " + path);
    }

    /** As {@link #send}, but returns an error response instead of throwing. */
    public PlatformResponse sendRaw(String method, String path, Object document) {
        var body = BodyPublishers.ofString(Documents.json(document));
        return api(method, path, body, Map.of("Content-Type", "application/json"));
    }

    public PlatformResponse api(String method, String path, BodyPublisher body, Map<String, String> headers) {
        return call(method, server() + API + path, body, headers);
    }

    public PlatformResponse call(String method, String url, BodyPublisher body, Map<String, String> headers) {
        long began = System.nanoTime();
        HttpResponse<String> response =
                exchange(request(method, url, body, headers), BodyHandlers.ofString(StandardCharsets.UTF_8));
        var lowered = new TreeMap<String, String>();
        response.headers().map().forEach((name, values) -> lowered.put(name.toLowerCase(), String.join(", ", values)));
        if (verbose) {
            console.err()
                    .printf(
                            "> %s %s: %d in %d ms%n",
                            method, url, response.statusCode(), (System.nanoTime() - began) / 1_000_000);
        }
        return new PlatformResponse(response.statusCode(), lowered, response.body());
    }

    /** Opens an endless response, such as a log that is followed. */
    public InputStream stream(String path, String accept) {
        return download(path, accept).in();
    }

    /** Opens a response that is too large for memory. */
    public Download download(String path, String accept) {
        return open(
                request("GET", server() + API + path, BodyPublishers.noBody(), Map.of("Accept", accept)),
                "GET " + path);
    }

    /** Opens the answer to a call of a function that comes piece by piece. */
    InputStream openAnswer(String url, String json, Map<String, String> headers) {
        return open(request("POST", url, BodyPublishers.ofString(json), headers), "POST " + url)
                .in();
    }

    private Download open(HttpRequest request, String what) {
        HttpResponse<InputStream> response = exchange(request, BodyHandlers.ofInputStream());
        if (response.statusCode() / 100 == 2) {
            long size = response.headers().firstValueAsLong("Content-Length").orElse(-1);
            return new Download(response.body(), size);
        }
        try (InputStream body = response.body()) {
            String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
            throw Problems.failure(new PlatformResponse(response.statusCode(), Map.of(), text), what, server());
        } catch (IOException broken) {
            throw unreachable(broken);
        }
    }

    /**
     * Response body that is read as a stream.
     *
     * @param size bytes; -1 if unknown
     */
    public record Download(InputStream in, long size) {}

    /** Requires a JSON answer of success; anything else becomes a failure with its reason. */
    public JsonNode expectSuccess(PlatformResponse answer, String what) {
        requireSuccess(answer, what);
        requireKnabla(answer, what);
        return answer.json();
    }

    /** Requires an answer of success in any format, such as CSV; anything else becomes a failure with its reason. */
    public void requireSuccess(PlatformResponse answer, String what) {
        if (!answer.isSuccess()) {
            requireKnabla(answer, what);
            throw Problems.failure(answer, what, server());
        }
    }

    private void requireKnabla(PlatformResponse answer, String what) {
        if (Problems.isForeign(answer)) {
            throw CliFailure.failed(
                    "%s answers, but not as Knabla does (%s: %d). Name the platform with --server URL or KNABLA_SERVER.",
                    server(), what, answer.status());
        }
    }

    private HttpRequest request(String method, String url, BodyPublisher body, Map<String, String> headers) {
        var builder = HttpRequest.newBuilder(URI.create(url)).method(method, body);
        headers.forEach(builder::setHeader);
        token.ifPresent(secret -> builder.setHeader("Authorization", "Bearer " + secret));
        return builder.build();
    }

    private <T> HttpResponse<T> exchange(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return http.send(request, handler);
        } catch (IOException broken) {
            throw unreachable(broken);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CliFailure.because(stopped, "interrupted while waiting for %s", server());
        }
    }

    private CliFailure unreachable(IOException cause) {
        return cause instanceof ConnectException && address instanceof Address.Fixed(var url)
                ? CliFailure.because(
                        cause,
                        "no platform answers at %s. Start one with ./knabla up, or name another with"
                                + " --server URL or KNABLA_SERVER.",
                        url)
                : CliFailure.because(
                        cause,
                        "%s",
                        address.brokenMessage(
                                cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage()));
    }

    /** Encodes user input as one segment of a URL path. */
    public static String pathSegment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
