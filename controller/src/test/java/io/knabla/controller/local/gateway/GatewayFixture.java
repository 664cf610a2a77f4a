package io.knabla.controller.local.gateway;

import io.knabla.controller.auth.RequestGuard;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.front.Front;
import io.knabla.controller.local.LocalCluster;
import io.knabla.controller.local.NodeDrills;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.LostGpus;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.controller.scale.ProvenUnits;
import io.knabla.controller.scale.SpotCapacity;
import io.knabla.controller.scale.VersionLoad;
import io.knabla.controller.scale.fleet.SpotRisks;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.standin.StandInCluster;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.http.HttpLimits;
import io.knabla.storage.memory.MemoryObjectStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/** Runs a complete gateway over a real cluster of stand-in replicas, with an HTTP client. */
final class GatewayFixture implements AutoCloseable {
    /** Longer than the time for which a zone is blocked that took a node back. */
    static final Duration NODE_RETURN = Duration.ofSeconds(1);

    /** No test here calls it. */
    private static final int NO_CONTROL_API = 1;

    final MapCatalog catalog = new MapCatalog();
    final CapacitySignals signals = new CapacitySignals();
    final PlacementReasons reasons = new PlacementReasons();
    final NodeDrills drills;
    final LocalCluster cluster;
    final Autoscaler autoscaler;
    final Gateway gateway;
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Front front;

    GatewayFixture(Path home, GatewaySettings settings) throws Exception {
        this(home, settings, StandInCluster.open(home));
    }

    GatewayFixture(Path home, GatewaySettings settings, LocalCluster cluster) throws Exception {
        this.cluster = cluster;
        drills = new NodeDrills(cluster, signals, Clock.systemUTC(), NODE_RETURN);
        autoscaler = new Autoscaler(
                cluster,
                catalog,
                new ProvenUnits(home.resolve("proven")),
                new SpotCapacity(
                        signals,
                        reasons,
                        NodePrices.UNKNOWN,
                        Duration.ofMillis(500),
                        new Random(7),
                        new SpotRisks(new MemoryObjectStore(), Clock.systemUTC()),
                        new LostGpus(Clock.systemUTC())),
                Clock.systemUTC(),
                Executors.newSingleThreadScheduledExecutor());
        gateway = new Gateway(
                new Gateway.Parts(
                        catalog, cluster, autoscaler, unit -> manifest(), meters, Clock.systemUTC(), new Random(7)),
                settings);
        autoscaler.start();
        gateway.start();
        front = Front.open(
                new InetSocketAddress("127.0.0.1", 0),
                HttpLimits.forBodies(1 << 20),
                new RequestGuard("127.0.0.1", Optional.empty()),
                gateway,
                NO_CONTROL_API,
                "");
    }

    private static GraphManifest manifest() {
        return new GraphManifest(
                GraphManifest.SCHEMA,
                new Blob(Specs.digest(1), 1),
                List.of(),
                List.of(new TensorSpec("x", DataType.FP32, List.of(-1L, 4L), List.of("N", ""))),
                List.of(new TensorSpec("y", DataType.FP32, List.of(-1L, 2L), List.of("N", ""))),
                true,
                new GraphManifest.ModelVersion(8, 17));
    }

    void deploy(String name, Specs specs) {
        deploy(specs.record(name, Instant.now()));
    }

    void deploy(FunctionRecord record) {
        catalog.put(record);
    }

    /** Deploys a further version of an existing function. */
    void deployAgain(String name, Specs specs) {
        catalog.update(Specs.id(name), current -> {
            FunctionRecord old = current.orElseThrow();
            Version next = specs.version(old.latest().number() + 1, Instant.now());
            List<Version> all = new java.util.ArrayList<>(old.versions());
            all.add(next);
            return new FunctionRecord(old.id(), all, old.traffic(), "");
        });
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + front.port() + path);
    }

    HttpRequest.Builder infer(String name) {
        return HttpRequest.newBuilder(uri("/v2/models/" + name + "/infer"))
                .POST(HttpRequest.BodyPublishers.ofString("{}"));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(path)));
    }

    List<Replica> replicas(String name, Replica.State state) {
        return cluster.replicas().stream()
                .filter(r -> r.function().name().equals(name) && r.state() == state)
                .toList();
    }

    /** How many a first version has now, those that wait included. */
    int requests(String name) {
        return autoscaler
                .load(new VersionKey(Specs.id(name), 1))
                .map(VersionLoad::current)
                .orElse(0);
    }

    @Override
    public void close() {
        drills.close();
        autoscaler.close();
        cluster.close();
        gateway.close();
        client.shutdownNow();
        front.close();
    }
}
