package io.knabla.controller.knative.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/**
 * Knative's data path. Names of functions resolve nowhere in a test, so each call goes to the ingress with the
 * function's host; the build allows that header ({@code jdk.httpclient.allowRestrictedHeaders}).
 */
public final class Ingress implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    /** @param url of the function, as in its status, with a path */
    public HttpResponse<byte[]> get(String url) {
        return send(request(url).GET());
    }

    public HttpResponse<byte[]> post(String url, byte[] body, Map<String, String> headers) {
        HttpRequest.Builder request = request(url).POST(BodyPublishers.ofByteArray(body));
        headers.forEach(request::setHeader);
        return send(request);
    }

    private static HttpRequest.Builder request(String url) {
        URI wanted = URI.create(url);
        URI reached = TestCluster.ingress().resolve(wanted.getRawPath());
        return HttpRequest.newBuilder(reached).timeout(PATIENCE).header("Host", wanted.getHost());
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", stopped);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
