package io.knabla.controller.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Functions with {@code resources.gpu: 1} on the platform as people start it, on a machine with a fake GPU. */
@Timeout(900)
class PlatformOnFakeCuda {
    private static final String ON_GPU = ", \"resources\": {\"gpu\": 1}";
    private static final String LIMIT = "KNABLA_GPU_MEMORY_BYTES";

    /** A member of the pool starts at the lowest priority, for which the pool gives it two minutes. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path home;

    private FakeGpu gpu;

    @BeforeEach
    void open() throws IOException {
        gpu = FakeGpu.open();
    }

    @AfterEach
    void close() throws IOException {
        gpu.close();
    }

    private GpuPlatform start(Map<String, String> more) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(gpu.environment());
        environment.putAll(more);
        return new GpuPlatform(home, environment);
    }

    private static void assertStatus(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    }

    @Test
    void onlyFunctionsThatAskForTheGpuComputeOnIt() throws Exception {
        try (var platform = start(Map.of())) {
            assertStatus(platform.deploy("on-cpu", ""), 201);
            assertStatus(platform.call("on-cpu"), 200);
            assertThat(gpu.log()).isEmpty();

            assertStatus(platform.deploy("on-gpu", ON_GPU), 201);
            int before = gpu.log().size();
            assertThat(before).isPositive();
            assertStatus(platform.call("on-gpu"), 200);

            assertThat(gpu.log().subList(before, gpu.log().size())).contains("copy 1 256", "launch", "copy 2 256");

            await("a process of the pool waits on the GPU, beside one on the CPU")
                    .atMost(PATIENCE)
                    .until(() -> platform.pooled() == 2);
            List<String> contexts = contexts();
            assertStatus(platform.deploy("another", ON_GPU), 201);
            assertStatus(platform.call("another"), 200);
            assertThat(contexts).contains("context " + platform.process("another"));
        }
    }

    private List<String> contexts() throws IOException {
        return gpu.log().stream().filter(line -> line.startsWith("context")).toList();
    }

    /** An error of the driver that costs the device, and then CUDA's. */
    private void closesTheNodeThatLostItsGpu(GpuPlatform platform) throws Exception {
        gpu.set("xid", 79);
        await("a replica took it").atMost(PATIENCE).until(() -> !gpu.isSet("xid"));
        gpu.set("copy-error", 719);
        platform.call("on-gpu");
        await("nothing is placed there")
                .atMost(PATIENCE)
                .until(() -> platform.get("/api/v1/functions/default/on-gpu")
                        .contains("its GPU was lost (Xid 79: the GPU has fallen off the bus), blocked until "));
        assertThat(platform.get("/q/metrics")).containsPattern("knabla_gpu_lost_total\\{reason=\"Xid79\"} [1-9]");
        assertStatus(platform.call("on-cpu"), 200);
    }

    @Test
    void deployTellsWhichLibraryIsMissing() throws Exception {
        gpu.hide("libcublas.so.13");
        try (var platform = start(Map.of())) {
            HttpResponse<String> refused = platform.deploy("on-gpu", ON_GPU);

            assertStatus(refused, 400);
            assertThat(refused.body())
                    .contains("spec.resources.gpu", "libcublas.so.13 of CUDA 13 is missing", "python3 -m pip install");
            assertStatus(platform.deploy("on-cpu", ""), 201);
        }
    }

    @Test
    void deployTellsHowMuchMemoryIsNeeded() throws Exception {
        try (var platform = start(Map.of(LIMIT, Long.toString(1 << 20)))) {
            HttpResponse<String> refused = platform.deploy("on-gpu", ON_GPU);

            assertStatus(refused, 400);
            assertThat(refused.body())
                    .contains("this needs at least 2 MiB of device memory, and the model may have 1 MiB");
        }
    }

    @Test
    void lostGpuEndsOnlyTheReplicasOnIt() throws Exception {
        try (var platform = start(Map.of())) {
            assertStatus(platform.deploy("on-cpu", ""), 201);
            assertStatus(platform.deploy("on-gpu", ON_GPU), 201);
            assertStatus(platform.call("on-cpu"), 200);
            assertStatus(platform.call("on-gpu"), 200);

            gpu.set("copy-error", 719);
            CompletableFuture<HttpResponse<String>> hit = CompletableFuture.supplyAsync(() -> {
                try {
                    return platform.call("on-gpu");
                } catch (IOException | InterruptedException failed) {
                    throw new IllegalStateException(failed);
                }
            });
            await("a replica ends with a code of its own")
                    .atMost(PATIENCE)
                    .until(() -> platform.logs("on-gpu").contains("exit code 6 (it lost its GPU"));
            assertStatus(platform.call("on-cpu"), 200);
            assertThat(platform.logs("on-cpu")).doesNotContain("ended:");

            gpu.unset("copy-error");
            // It was sent to another replica, or refused with the reason, if that met the error too.
            assertThat(hit.join().statusCode()).as(hit.join().body()).isIn(200, 503);
            await("a new replica serves")
                    .atMost(PATIENCE)
                    .until(() -> platform.call("on-gpu").statusCode() == 200);
            assertThat(platform.isAlive()).isTrue();
            assertThat(platform.get("/q/metrics")).contains("knabla_gpu_lost_total{reason=\"CudaError719\"}");

            closesTheNodeThatLostItsGpu(platform);
        }
    }
}
