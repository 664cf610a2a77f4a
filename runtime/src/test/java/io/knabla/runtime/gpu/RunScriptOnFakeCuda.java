package io.knabla.runtime.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.runtime.units.TestUnit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench/gpu/run.sh} with loads like those of {@code pack.sh}: on no GPU, and on the fake one. */
@Timeout(900)
class RunScriptOnFakeCuda {
    private static final Path REPLICA = Path.of("target/replica").toAbsolutePath();
    private static final Path SCRIPTS = Path.of("bench/gpu").toAbsolutePath();

    @TempDir
    Path loads;

    private record Ran(int status, String output) {}

    @BeforeEach
    void copyScripts() throws IOException {
        for (String name : List.of("run.sh", "measure.py")) {
            Files.copy(SCRIPTS.resolve(name), loads.resolve(name));
        }
    }

    private static Ran run(Map<String, String> environment, String... command) throws Exception {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), output);
    }

    private Ran script(Map<String, String> environment) throws Exception {
        return run(environment, "bash", loads.resolve("run.sh").toString());
    }

    /** The JVM, the replica and the provider are links: only what they lead to is large. */
    private void pack(FakeCuda fake, TestUnit unit) throws Exception {
        Path replica = Files.createDirectories(loads.resolve("replica"));
        Files.createSymbolicLink(replica.resolve("jvm"), Path.of(System.getProperty("java.home")));
        Files.createSymbolicLink(replica.resolve("replica"), REPLICA);
        Files.createSymbolicLink(
                replica.resolve("store"),
                Path.of(java.net.URI.create(unit.environment().get("KNABLA_STORE"))));
        String packed = unit.environment().get("KNABLA_UNIT");
        Files.writeString(
                replica.resolve("units.tsv"),
                "mlp\t%s\tInference\nmlp-half\t%s\tInference\n".formatted(packed, packed));
        String data = String.join(",", Collections.nCopies(64, "0.5"));
        Files.createDirectories(replica.resolve("requests"));
        Files.writeString(
                replica.resolve("requests/mlp.json"),
                "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,64],\"datatype\":\"FP32\",\"data\":[%s]}]}".formatted(data));
        archive(replica, "replica.tar.xz");
        Path provider = Files.createDirectories(loads.resolve("provider"));
        Files.createSymbolicLink(provider.resolve("onnxruntime"), fake.home().resolve("onnxruntime"));
        archive(provider, "provider.tar.xz");
    }

    private void archive(Path folder, String name) throws Exception {
        Ran tar = run(
                Map.of("XZ_OPT", "-0"),
                "tar",
                "-C",
                folder.toString(),
                "-cJf",
                loads.resolve(name).toString(),
                ".");
        assertThat(tar.status()).as(tar.output()).isZero();
    }

    @Test
    void loadsThatAreMissingAreNamed() throws Exception {
        Ran ran = script(Map.of());

        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.output()).contains("provider.tar.xz is missing; make it with pack.sh");
    }

    @Test
    void aMachineWithoutAGpuIsToldSo() throws Exception {
        try (var fake = FakeCuda.open();
                var unit = TestUnit.of(Onnx.mlp(64, 400, 64), "")) {
            pack(fake, unit);

            Ran ran = script(Map.of("KNABLA_CUDA_HOME", fake.home().toString()));

            assertThat(ran.status()).as(ran.output()).isEqualTo(3);
            assertThat(ran.output())
                    .contains(
                            "no GPU found that Knabla can compute on: this machine has no NVIDIA driver (libcuda.so.1)",
                            "install NVIDIA's driver 580 or newer")
                    .doesNotContain("passed");
        }
    }

    /** The fake runtime computes nothing, so all steps pass but those that compare answers. */
    @Test
    void wrongAnswersFailAndTheOtherStepsGoOn() throws Exception {
        try (var fake = FakeCuda.open();
                var unit = TestUnit.of(Onnx.mlp(64, 400, 64), "")) {
            pack(fake, unit);
            Map<String, String> environment = new HashMap<>(fake.environment());
            environment.put("KNABLA_WINDOW_SECONDS", "0.2");
            environment.put("KNABLA_LIMIT_FACTOR", "10");
            environment.put("KNABLA_CALIBRATION_DIVISOR", "64");

            Ran ran = script(environment);

            assertThat(ran.status()).as(ran.output()).isEqualTo(1);
            assertThat(ran.output())
                    .containsPattern("passed  0 doctor .*the GPU can be used")
                    .containsPattern(
                            "passed  1 calibration .*: fake: float32 [0-9.e+]+, .*no convolution \\(the engine failed")
                    .containsPattern("FAILED  2 answers .*mlp: y is off by .*allowed is 1e-03")
                    .containsPattern("passed  3 rows a second .*cpu b=1 \\d+ rows/s.*cuda b=32 \\d+ rows/s")
                    .containsPattern("passed  4 beside PyTorch .*skipped: (no torch|torch sees no GPU)")
                    .containsPattern("passed  5 cold start")
                    .containsPattern("passed  5 start of a member .*cpu .*cuda ")
                    .containsPattern("passed  6 memory limit")
                    .containsPattern("FAILED  7 half precision .*y is off by .*allowed is 1e-02");
        }
    }
}
