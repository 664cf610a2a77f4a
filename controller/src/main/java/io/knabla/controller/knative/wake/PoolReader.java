package io.knabla.controller.knative.wake;

import static java.lang.System.Logger.Level.DEBUG;

import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.http.TimedHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/** Reads the report of a pool from the pod's own port: a call through Knative would count as a request. */
final class PoolReader implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PoolReader.class.getName());
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** Port that Knative gives a container without ports of its own. */
    private static final int PORT = 8080;

    private static final int MOST_BYTES = 1 << 20;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    Optional<PoolReport> read(Pod pod) {
        String ip = pod.getStatus().getPodIP();
        String host = ip.contains(":") ? "[" + ip + "]" : ip;
        var request = HttpRequest.newBuilder(URI.create("http://%s:%d/pool/functions".formatted(host, PORT)))
                .timeout(TIMEOUT)
                .build();
        try {
            var answer = TimedHttp.send(http, request, BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES));
            return answer.statusCode() == 200 ? Optional.of(PoolReport.parse(answer.body())) : Optional.empty();
        } catch (IOException silent) {
            LOG.log(DEBUG, "no report from pod {0}: {1}", pod.getMetadata().getName(), silent.getMessage());
            return Optional.empty();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
