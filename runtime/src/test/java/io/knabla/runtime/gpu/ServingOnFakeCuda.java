package io.knabla.runtime.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.assemble.ReplicaProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicas from the assembled folder that compute on ONNX Runtime's real CUDA provider and the fake runtime. */
@Timeout(120)
class ServingOnFakeCuda extends GpuReplicas {
    private static final int CONNECTIONS = 16;
    private static final int REQUESTS = 200;
    private static final String TO_DEVICE = "copy 1 ";
    private static final String FROM_DEVICE = "copy 2 ";

    private List<String> copies(int from) throws IOException {
        return fake.log().stream()
                .skip(from)
                .filter(line -> line.startsWith("copy"))
                .toList();
    }

    /** A replayed graph would copy nothing after the first run, and answer old bytes. */
    @Test
    void copiesInputsAndOutputsInEachRun() throws Exception {
        try (var replica = start(Map.of())) {
            int port = ready(replica);
            for (int run = 0; run < 3; run++) {
                int before = fake.log().size();
                assertThat(call(port, run + 1).statusCode()).isEqualTo(200);
                int bytes = (run + 1) * 64 * Float.BYTES;
                assertThat(copies(before)).containsExactly(TO_DEVICE + bytes, FROM_DEVICE + bytes);
            }
            assertThat(fake.log()).contains("launch").doesNotContain("capture");
        }
    }

    @Test
    void runsOneAtATimeAndHoldsItsMemory() throws Exception {
        // Runs that may overlap, do.
        fake.set("copy-delay", 500);
        try (var replica = start(Map.of("KNABLA_CONCURRENCY", "16"))) {
            int port = ready(replica);
            for (int i = 0; i < 10; i++) {
                assertThat(call(port, 1).statusCode()).isEqualTo(200);
            }
            int before = fake.log().size();

            assertThat(callOnAllConnections(port)).hasSize(REQUESTS).containsOnly(200);

            assertThat(copies(before)).isEqualTo(inTurn());
            assertThat(fake.log().stream().skip(before)).noneMatch(line -> line.startsWith("malloc"));
        }
    }

    /** Threads that call the engine itself, which nothing before it can have put in a row. */
    @Test
    void engineRunsOneAtATime() throws Exception {
        fake.set("copy-delay", 500);
        Map<String, String> environment = new HashMap<>(fake.replica(unit.environment()));
        environment.put("KNABLA_CONCURRENCY", "16");
        environment.put("KNABLA_QUEUE", "200");
        try (var process = new DeviceProcess(environment)) {
            assertThat(process.ask("load")).isEqualTo("loaded");
            int before = fake.log().size();

            assertThat(process.ask("crowd")).isEqualTo("crowd [ran 256]");

            assertThat(copies(before)).isEqualTo(inTurn());
        }
    }

    /** One run after the other. */
    private static List<String> inTurn() {
        return IntStream.range(0, 2 * REQUESTS)
                .mapToObj(i -> (i % 2 == 0 ? TO_DEVICE : FROM_DEVICE) + 64 * Float.BYTES)
                .toList();
    }

    /** Requests that share a run also hold to it. */
    @Test
    void batchesOneAtATime() throws Exception {
        fake.set("copy-delay", 500);
        try (var replica = start(
                Map.of("KNABLA_CONCURRENCY", "16", "KNABLA_BATCH_MAX_SIZE", "8", "KNABLA_BATCH_MAX_DELAY_MS", "2"))) {
            int port = ready(replica);
            int before = fake.log().size();

            assertThat(callOnAllConnections(port)).hasSize(REQUESTS).containsOnly(200);

            List<String> copies = copies(before);
            assertThat(copies).hasSizeLessThan(2 * REQUESTS);
            for (int i = 0; i < copies.size(); i += 2) {
                assertThat(copies.get(i)).startsWith(TO_DEVICE);
                assertThat(copies.get(i + 1))
                        .isEqualTo(FROM_DEVICE + copies.get(i).substring(TO_DEVICE.length()));
            }
        }
    }

    private List<Integer> callOnAllConnections(int port) throws Exception {
        try (var threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            List<Callable<Integer>> calls =
                    Collections.nCopies(REQUESTS, () -> call(port, 1).statusCode());
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> call : threads.invokeAll(calls)) {
                statuses.add(call.get());
            }
            return statuses;
        }
    }

    @Test
    void tooLargeARequestGets503AndTheNextIsServed() throws Exception {
        try (var replica = start(Map.of("KNABLA_GPU_MEMORY_BYTES", Long.toString(2 << 20)))) {
            int port = ready(replica);

            HttpResponse<String> refused = call(port, 2000);

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(refused.body())
                    .contains("this needs at least 4 MiB of device memory, and the model may have 2 MiB");
            assertThat(call(port, 1).statusCode()).isEqualTo(200);
            assertThat(replica.process().isAlive()).isTrue();
        }
    }

    /** Of the pool: it learns the unit, and its share of the GPU, when nothing is left to open. It needs no cuDNN. */
    @Test
    void pooledReplicaFindsTheContextMade() throws Exception {
        fake.set("bytes", 4L << 30);
        fake.hide("libcudnn.so.9");
        try (var replica = start(Map.of(), "pooled")) {
            assertThat(replica.event()).isEqualTo("{\"event\":\"pooled\"}");
            long process = replica.process().pid();
            assertThat(fake.log()).contains("opened " + process, "context " + process, "launch");
            List<String> before = made();
            assertThat(bytes("pinned")).isPositive().isEqualTo(bytes("unpinned"));

            Map<String, String> assigned = new HashMap<>(fake.replica(unit.environment()));
            assigned.put("KNABLA_GPU_PARTS", "2");
            replica.assign(assigned);

            int port = replica.port();
            assertThat(replica.event())
                    .startsWith("{\"event\":\"ready\",\"phases\":{\"boot\":0,")
                    .contains("\"device\":0.0}");
            assertThat(call(port, 1).statusCode()).isEqualTo(200);
            assertThat(made()).isEqualTo(before);
            assertThat(metrics(port)).containsPattern("memory_limit_bytes\\{.*} " + ((2L << 30) - (600L << 20)));
        }
    }

    private long bytes(String kind) throws IOException {
        return fake.log().stream()
                .filter(line -> line.startsWith(kind + " "))
                .mapToLong(line -> Long.parseLong(line.substring(kind.length() + 1)))
                .sum();
    }

    private List<String> made() throws IOException {
        return fake.log().stream()
                .filter(line -> line.startsWith("opened") || line.startsWith("context"))
                .toList();
    }

    @Test
    void deployIsRefusedWhereTheLargestBatchDoesNotFit() throws Exception {
        try (var check = start(
                Map.of("KNABLA_GPU_MEMORY_BYTES", Long.toString(2 << 20), "KNABLA_BATCH_MAX_SIZE", "2000"), "check")) {
            assertThat(check.event())
                    .startsWith(
                            "{\"event\":\"refused\",\"error\":\"this needs at least 4 MiB of device memory, and the model may have 2 MiB");
            assertThat(check.process().waitFor()).isEqualTo(4);
        }
    }

    @Test
    void checkPassesWhereItFits() throws Exception {
        try (var check = start(Map.of("KNABLA_BATCH_MAX_SIZE", "2000"), "check")) {
            assertThat(check.event()).startsWith("{\"event\":\"checked\"");
            assertThat(check.process().waitFor()).isZero();
        }
    }

    /** Its figures say nothing here; what is copied says that nothing was left to the CPU. */
    @Test
    void measuresTheDevice() throws Exception {
        try (var calibration = start(Map.of("KNABLA_CALIBRATION_DIVISOR", "64"), "calibrate")) {
            assertThat(calibration.event())
                    .matches("\\{\"event\":\"calibrated\",\"device\":\"fake\",\"rates\":\\{"
                            + Stream.of(
                                            "float32",
                                            "tf32",
                                            "half",
                                            "bytesPerSecond",
                                            "linkBytesPerSecond",
                                            "launchSeconds",
                                            "callSeconds")
                                    .map("\"%s\":[0-9.E-]+"::formatted)
                                    .collect(Collectors.joining(","))
                            + "\\},\"failures\":\\{\"convolution\":\"[^\"]*running Conv node[^\"]*\\.\\.\\.\"\\}\\}");
            assertThat(calibration.process().waitFor()).isZero();
        }
        int copied = (16 << 20) / 64 * Float.BYTES;
        int row = 4096 / 64 * Float.BYTES;
        assertThat(Set.copyOf(copies(0)))
                .containsExactlyInAnyOrder(
                        TO_DEVICE + Float.BYTES,
                        FROM_DEVICE + Float.BYTES,
                        TO_DEVICE + copied,
                        FROM_DEVICE + copied,
                        FROM_DEVICE + row,
                        FROM_DEVICE + row / 2,
                        "copy 3 " + Float.BYTES);
        assertThat(fake.log().stream().filter("launch"::equals)).hasSizeGreaterThan(4 * 200);
    }

    @Test
    void metricsTellMemoryAndTime() throws Exception {
        fake.set("bytes", 1 << 30);
        fake.set("utilization", 37);
        fake.set("memory-utilization", 5);
        try (var replica = start(Map.of("KNABLA_GPU_MEMORY_BYTES", Long.toString(2 << 20)))) {
            int port = replica.port();
            assertThat(replica.event()).containsPattern("\"device\":(0\\.[1-9]|[1-9])");
            call(port, 1);

            String labels = "{model=\"m\",version=\"1\",gpu=\"0\"} ";
            assertThat(metrics(port))
                    .contains("knabla_gpu_memory_bytes" + labels + (1 << 30))
                    .contains("knabla_gpu_memory_used_bytes" + labels + held() + "\n")
                    .contains("knabla_gpu_memory_limit_bytes" + labels + (2 << 20))
                    .contains("knabla_gpu_utilization_ratio" + labels + "0.37\n")
                    .contains("knabla_gpu_memory_utilization_ratio" + labels + "0.05\n")
                    .doesNotContain("knabla_gpu_xid_total")
                    .containsPattern("knabla_gpu_run_microseconds_total\\{.*} [1-9]");
        }
    }

    /** Each number once, however often the driver reports it. */
    @Test
    void tellsErrorsThatTheDriverReports() throws Exception {
        try (var replica = start(Map.of())) {
            int port = ready(replica);
            fake.give("xid", 48);
            assertThat(xid(replica))
                    .startsWith("{\"event\":\"gpu-xid\",\"gpu\":0,\"xid\":48,\"kind\":\"Device\",\"meaning\":\"");
            fake.give("xid", 48);
            fake.give("xid", 13);
            assertThat(xid(replica)).contains("\"xid\":13,\"kind\":\"Application\"");

            String labels = "{model=\"m\",version=\"1\",gpu=\"0\",xid=";
            assertThat(metrics(port))
                    .contains("knabla_gpu_xid_total" + labels + "\"48\"} 2\n")
                    .contains("knabla_gpu_xid_total" + labels + "\"13\"} 1\n");
        }
    }

    private static String xid(ReplicaProcess replica) throws IOException {
        String event = replica.event();
        while (!event.contains("\"gpu-xid\"")) {
            event = replica.event();
        }
        return event;
    }

    /** In a share, and on a machine without NVIDIA's management library, of which nothing more is told then. */
    @Test
    void aShareHoldsAPartOfTheMemory() throws Exception {
        fake.set("bytes", 4L << 30);
        fake.hide("libnvidia-ml.so.1");
        try (var replica = start(Map.of("KNABLA_GPU_PARTS", "4"))) {
            int port = ready(replica);

            assertThat(metrics(port))
                    .contains("knabla_gpu_memory_limit_bytes{model=\"m\",version=\"1\",gpu=\"0\"} "
                            + ((1L << 30) - (600L << 20)))
                    .doesNotContain("utilization");
        }
    }

    @Test
    void aShareWithoutMemoryIsRefused() throws Exception {
        fake.set("bytes", 2L << 30);
        try (var replica = start(Map.of("KNABLA_GPU_PARTS", "4"))) {
            String last = "";
            for (String event = replica.event(); event != null; event = replica.event()) {
                last = event;
            }

            assertThat(last)
                    .startsWith("{\"event\":\"failed\"")
                    .contains("1/4 of this GPU's 2,048 MiB is not more than the 600 MiB that CUDA takes for itself");
        }
    }

    /**
     * The request that met the error is answered, then the process ends with a code of its own. Its last lines, which
     * Kubernetes keeps, tell what it used, the driver's error and CUDA's.
     */
    @Test
    void lostDeviceEndsProcess() throws Exception {
        try (var replica = start(Map.of())) {
            int port = ready(replica);
            fake.give("xid", 79);
            xid(replica);
            fake.set("copy-error", 719);

            HttpResponse<String> failed = call(port, 1);

            assertThat(failed.statusCode()).isEqualTo(503);
            assertThat(failed.body()).contains("the GPU was lost: unspecified launch failure (CUDA error 719)");
            assertThat(replica.process().waitFor()).isEqualTo(6);
            List<String> last = new ArrayList<>();
            for (String event = replica.event(); event != null; event = replica.event()) {
                last.add(event);
            }
            assertThat(last.subList(last.size() - 3, last.size()))
                    .satisfiesExactly(
                            event -> assertThat(event).startsWith("{\"event\":\"usage\","),
                            event -> assertThat(event)
                                    .startsWith("{\"event\":\"gpu-xid\",\"gpu\":0,\"xid\":79,\"kind\":\"Device\""),
                            event -> assertThat(event)
                                    .startsWith("{\"event\":\"failed\",\"error\":\"the GPU was lost: ")
                                    .contains("\"code\":\"DEVICE_LOST\""));
        }
    }

    @Test
    void replicaWithoutLibrariesDoesNotStart() throws Exception {
        fake.hide("libcublas.so.13");
        try (var replica = start(Map.of())) {
            String failed = "";
            for (String event = replica.event(); event != null; event = replica.event()) {
                failed = event;
            }
            assertThat(failed).contains("\"event\":\"failed\"", "libcublas.so.13 of CUDA 13 is missing");
            assertThat(replica.process().waitFor()).isEqualTo(3);
        }
    }

    /** Who asks for a GPU is told what is wrong with that, and not served by the CPU. */
    @Test
    void settingsThatContradictAreRefused() throws Exception {
        try (var replica = start(Map.of("KNABLA_DEVICE", "gpu", "KNABLA_GPU_MEMORY_BYTES", "2G"))) {
            assertThat(replica.event()).contains("\"event\":\"failed\"", "KNABLA_DEVICE", "cuda:1 for the second GPU");
        }
        try (var replica = start(Map.of("NVIDIA_VISIBLE_DEVICES", "void"))) {
            assertThat(replica.event()).contains("this container was given no GPU");
        }
    }
}
