package io.knabla.controller.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends HTTP requests whose timeout covers the body of the answer too: the JDK's own ends with the head. */
public final class TimedHttp {
    private TimedHttp() {}

    /**
     * Sends a request, and reads its answer.
     *
     * @param request with a timeout
     * @throws HttpTimeoutException if the answer is not complete in time; its connection is closed
     * @throws IOException if the request cannot be sent or the answer cannot be read
     */
    public static <T> HttpResponse<T> send(HttpClient http, HttpRequest request, BodyHandler<T> body)
            throws IOException, InterruptedException {
        Duration timeout = request.timeout().orElseThrow();
        CompletableFuture<HttpResponse<T>> answer = http.sendAsync(request, body);
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stalled) {
            throw new HttpTimeoutException("the answer was not complete after %d ms".formatted(timeout.toMillis()));
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        } finally {
            answer.cancel(true);
        }
    }
}
