package io.knabla.controller.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ./knabla doctor --gpu} as people run it, with each library missing in turn. */
@Timeout(60)
class DoctorOnFakeCuda {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

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

    private record Doctor(int status, String said) {}

    private Doctor doctor() throws IOException, InterruptedException {
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + ROOT.resolve("controller/cli/target/cli/cli.args"),
                        "doctor",
                        "--gpu")
                .redirectErrorStream(true);
        builder.environment().putAll(gpu.environment());
        builder.environment().put("KNABLA_HOME", home.toString());
        builder.environment().put("KNABLA_DIST", ROOT.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Doctor(process.waitFor(), said);
    }

    @Test
    void nothingIsMissing() throws Exception {
        Doctor doctor = doctor();

        assertThat(doctor.said()).startsWith("good  GPU ").hasLineCount(1);
        assertThat(doctor.status()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "libcuda.so.1, bad, install NVIDIA's driver 580 or newer",
        "libcudart.so.13, bad, python3 -m pip install --target",
        "libcublasLt.so.13, bad, python3 -m pip install --target",
        "libcublas.so.13, bad, python3 -m pip install --target",
        "libcurand.so.10, bad, python3 -m pip install --target",
        "libcudnn.so.9, poor, python3 -m pip install --target",
        "libonnxruntime_providers_shared.so, bad, python3 -m pip install --target",
        "libonnxruntime_providers_cuda.so, bad, python3 -m pip install --target",
    })
    void namesMissingLibraryAndCommand(String library, String grade, String command) throws Exception {
        gpu.hide(library);

        Doctor doctor = doctor();

        assertThat(doctor.said().lines().filter(line -> line.startsWith(grade)))
                .singleElement()
                .asString()
                .contains(library);
        assertThat(doctor.said().lines().filter(line -> line.contains("fix: ")))
                .singleElement()
                .asString()
                .contains(command);
        assertThat(doctor.status()).isEqualTo(grade.equals("bad") ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({"35, the NVIDIA driver is too old", "100, the NVIDIA driver sees no GPU"})
    void tellsWhatIsWrongWithTheDriver(int error, String sentence) throws Exception {
        gpu.set("error", error);

        Doctor doctor = doctor();

        assertThat(doctor.said()).startsWith("bad   GPU ").contains(sentence);
        assertThat(doctor.status()).isEqualTo(1);
    }
}
