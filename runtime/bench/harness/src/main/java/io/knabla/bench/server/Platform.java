package io.knabla.bench.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.machine.ProcessUsage;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.wire.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs the whole platform with a separate home folder and one function, {@code bench}. */
public final class Platform implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("Knabla is ready: http://127\\.0\\.0\\.1:(\\d+)");
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String FUNCTION = "/v2/models/bench/infer";
    private static final String REPLICA_TOKEN = "KNABLA_REPLICA_TOKEN=";

    private final ChildProcess child;
    private final Path home;
    private final BenchModel model;
    private final int port;
    private final ControlClient control;

    private Platform(ChildProcess child, Path home, BenchModel model) {
        this.child = child;
        this.home = home;
        this.model = model;
        await("the platform's ready line", () -> READY.matcher(child.output()).find());
        Matcher ready = READY.matcher(child.output());
        ready.find();
        this.port = Integer.parseInt(ready.group(1));
        this.control = new ControlClient(port);
    }

    /** How the function scales, as in {@code spec.scaling}. */
    public record Scaling(int min, int max, int concurrency, String idleAfter) {
        /** Without keep-warm: a start is measured only if none runs ahead of the request. */
        private String json() {
            return """
                    "scaling": {"min": %d, "max": %d, "concurrency": %d, "idleAfter": "%s"},
                    "keepWarm": {"policy": "Never"}""".formatted(min, max, concurrency, idleAfter);
        }
    }

    /** @param pool members of the pool of generic replicas, kept at all times */
    public static Platform up(Distribution distribution, BenchModel model, Scaling scaling, int pool) {
        Path home = Folders.temporary();
        writeConfig(home, pool);
        ChildProcess child = ChildProcess.start(command(distribution, home));
        Platform platform = null;
        try {
            platform = new Platform(child, home, model);
            platform.control.deploy("bench", model.file(), scaling.json());
            platform.awaitProof();
            return platform;
        } catch (RuntimeException | Error failure) {
            String said = child.outputTail();
            child.stop();
            Folders.delete(home);
            throw new IllegalStateException("the platform did not come up; it said: " + said, failure);
        }
    }

    private static void writeConfig(Path home, int pool) {
        try {
            Files.writeString(home.resolve("config.yaml"), "warm: {pool: {min: %1$d, max: %1$d}}\n".formatted(pool));
        } catch (IOException error) {
            throw new UncheckedIOException("cannot write the configuration of the platform", error);
        }
    }

    private static ChildProcess.Command command(Distribution distribution, Path home) {
        return new ChildProcess.Command(
                List.of(
                        distribution.java().toString(),
                        "-Djava.io.tmpdir={tmp}",
                        "@" + distribution.controllerArguments(),
                        "up",
                        "--port",
                        "0"),
                Map.of(
                        "KNABLA_HOME", home.toString(),
                        "KNABLA_DIST", distribution.root().toString(),
                        "KNABLA_REPLICA_HOME", distribution.replicaHome().toString(),
                        "ORT_DISABLE_TELEMETRY", "1"));
    }

    public Call json() {
        return Call.json(port, FUNCTION, model);
    }

    public Call binary() {
        return Call.binary(port, FUNCTION, model);
    }

    public Call grpc() {
        return Call.grpc(port, "bench", model);
    }

    /** Deploys another function of the same model. */
    public void deploy(String name, String spec) {
        control.deploy(name, model.file(), spec);
    }

    /** A request to another function. */
    public Call json(String name) {
        return Call.json(port, FUNCTION.replace("bench", name), model);
    }

    public String metrics() {
        return control.metrics();
    }

    public boolean isAlive() {
        return child.isAlive();
    }

    /** CPU time of the controller and its current replicas. */
    public double cpuMillis() {
        return ProcessUsage.treeCpuMillis(child.pid());
    }

    /** CPU time of the controller without its replicas. */
    public double proxyCpuMillis() {
        return cpuMillis() - replicaCpuMillis();
    }

    /** CPU time of the function's replicas. */
    public double replicaCpuMillis() {
        return replicaProcesses()
                .mapToDouble(process -> ProcessUsage.treeCpuMillis(process.pid()))
                .sum();
    }

    /** Where the function's replica listens, past the gateway, and the token that it requires. */
    public record ReplicaAddress(int port, String token) {}

    public ReplicaAddress replica() {
        ProcessHandle process = replicaProcesses().findFirst().orElseThrow();
        String token = environment(process)
                .filter(line -> line.startsWith(REPLICA_TOKEN))
                .findFirst()
                .orElseThrow();
        return new ReplicaAddress(control.replicaPort(), token.substring(REPLICA_TOKEN.length()));
    }

    private Stream<ProcessHandle> replicaProcesses() {
        return ProcessHandle.of(child.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .filter(process -> environment(process).anyMatch(line -> line.startsWith(REPLICA_TOKEN)));
    }

    private static Stream<String> environment(ProcessHandle process) {
        try {
            Path file = Path.of("/proc", Long.toString(process.pid()), "environ");
            return Stream.of(Files.readString(file, StandardCharsets.ISO_8859_1).split("\0"));
        } catch (IOException ended) {
            return Stream.of();
        }
    }

    /** Stops the platform with SIGTERM and starts it again on the same home: it has the function already. */
    public Platform restart(Distribution distribution) {
        child.stop();
        return new Platform(ChildProcess.start(command(distribution, home)), home, model);
    }

    /** A new version is started once without a request; until that start has begun, the function has no replica. */
    private void awaitProof() {
        await("the function's first start", () -> control.function().has("readyVersion"));
    }

    /** Waits until the function has no replica, ready or starting. */
    public void awaitZero() {
        await("the function to scale to zero", () -> replicas("ready") + replicas("starting") == 0);
    }

    /** Waits until this many generic replicas wait for a function. */
    public void awaitPool(int members) {
        await("the pool to be full", () -> control.poolReplicas() >= members);
    }

    public void awaitOne() {
        await("a ready replica", () -> replicas("ready") > 0);
    }

    private int replicas(String state) {
        JsonNode view = control.function();
        return view.at("/replicas/" + state).intValue();
    }

    private void await(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end || !child.isAlive()) {
                throw new IllegalStateException(
                        "timed out or ended while waiting for %s: %s".formatted(what, child.outputTail()));
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    @Override
    public void close() {
        child.stop();
        Folders.delete(home);
    }
}
