package io.knabla.bench.warm;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.knabla.bench.cluster.KnablaFunction;
import io.knabla.bench.cluster.TestBed;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.wire.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The platform on the cluster of the environment, in a namespace of its own, which goes at the end. */
final class ClusterPlatform implements WarmPlatform {
    private static final String NAMESPACE = "knabla-bench-warm";
    private static final String SYSTEM = "knabla-system";
    private static final int PORT = 8080;

    /** So little that a small node has room for all functions at once. */
    private static final String RESOURCES = "resources: {cpu: 50m, memory: 256Mi}, ";

    private final Distribution distribution;
    private final TestBed bed;
    private final BenchModel model;
    private final Map<String, Call> calls = new ConcurrentHashMap<>();

    private ClusterPlatform(Distribution distribution, TestBed bed, BenchModel model) {
        this.distribution = distribution;
        this.bed = bed;
        this.model = model;
    }

    static ClusterPlatform open(Distribution distribution, BenchModel model) {
        TestBed bed = TestBed.of(System.getenv());
        bed.createNamespace(NAMESPACE);
        return new ClusterPlatform(distribution, bed, model);
    }

    @Override
    public void deploy(String name, String spec) {
        var function = new KnablaFunction(distribution, bed, NAMESPACE, name);
        calls.put(name, bed.json(function.deploy(model, RESOURCES + spec), function.path(), model));
    }

    @Override
    public Call json(String name) {
        return calls.get(name);
    }

    /** Of all controllers: the one that leads has counted, and it may change. */
    @Override
    public String metrics() {
        return bed
                .client()
                .pods()
                .inNamespace(SYSTEM)
                .withLabel("app.kubernetes.io/name", "knabla-controller")
                .list()
                .getItems()
                .stream()
                .map(this::metrics)
                .collect(Collectors.joining("\n"));
    }

    private String metrics(Pod controller) {
        try (LocalPortForward forward = bed.client().pods().resource(controller).portForward(PORT);
                HttpClient http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:%d/q/metrics".formatted(forward.getLocalPort())))
                    .header("Authorization", "Bearer " + token())
                    .header("Accept", "text/plain")
                    .build();
            return http.send(request, BodyHandlers.ofString()).body();
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read the controller's metrics", failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        }
    }

    private String token() {
        String encoded = bed.client()
                .secrets()
                .inNamespace(SYSTEM)
                .withName("knabla-token")
                .get()
                .getData()
                .get("token");
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        bed.deleteNamespace(NAMESPACE);
        bed.close();
    }
}
