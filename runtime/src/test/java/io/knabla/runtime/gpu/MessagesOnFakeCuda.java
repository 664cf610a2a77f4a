package io.knabla.runtime.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.runtime.engine.BareProvider;
import io.knabla.runtime.units.TestUnit;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every failure of ONNX Runtime's real CUDA provider, provoked by the fake runtime, has its sentence and its code;
 * after it the CPU computes in the same process.
 */
@Timeout(120)
class MessagesOnFakeCuda {
    private FakeCuda fake;
    private TestUnit unit;

    @BeforeEach
    void open() throws IOException {
        fake = FakeCuda.open();
        unit = TestUnit.of(Onnx.mlp(64, 400, 64), "batching: {maxSize: 8}");
    }

    @AfterEach
    void close() throws IOException {
        unit.close();
        fake.close();
    }

    private Map<String, String> environment() {
        return fake.replica(unit.environment());
    }

    private static void assertCpuComputes(DeviceProcess process) throws IOException {
        assertThat(process.ask("cpu")).isEqualTo("ran 256");
    }

    private void assertNotLoaded(Map<String, String> environment, String... parts) throws IOException {
        try (var process = new DeviceProcess(environment)) {
            assertThat(process.ask("load")).contains(parts);
            assertCpuComputes(process);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "libcudart.so.13",
                "libcublasLt.so.13",
                "libcublas.so.13",
                "libcurand.so.10",
                "libonnxruntime_providers_shared.so",
                "libonnxruntime_providers_cuda.so"
            })
    void namesMissingLibraryAndWhatInstallsIt(String library) throws IOException {
        fake.hide(library);

        assertNotLoaded(
                environment(),
                "UNLOADABLE a replica cannot compute on a GPU here: ",
                library + " of ",
                " is missing. To mend it: python3 -m pip install --target " + fake.home()
                        + " 'onnxruntime-gpu[cuda,cudnn]==1.29.0'");
    }

    @Test
    void namesMissingDriver() throws IOException {
        fake.hide("libcuda.so.1");

        assertNotLoaded(
                environment(),
                "UNLOADABLE",
                "this machine has no NVIDIA driver",
                "install NVIDIA's driver 580 or newer");
    }

    @Test
    void namesMissingEngineBesideProvider() throws IOException {
        fake.hide("libonnxruntime.so.1.29.0");

        assertNotLoaded(environment(), "UNLOADABLE", "libonnxruntime.so.1.29.0 is missing beside", "pip install");
    }

    @ParameterizedTest
    @CsvSource({
        "35, the NVIDIA driver is too old for CUDA 13; install driver 580 or newer",
        "100, the NVIDIA driver sees no GPU; look with nvidia-smi",
    })
    void explainsWhyThereIsNoDevice(int error, String sentence) throws IOException {
        fake.set("error", error);

        assertNotLoaded(environment(), "UNLOADABLE " + sentence);
    }

    /** It is placed on the GPU all the same: only its first run shows it, which is before it serves. */
    @Test
    void convolutionsNeedCudnn() throws IOException {
        try (var digits = TestUnit.sample("digits")) {
            Map<String, String> environment = fake.replica(digits.environment());
            fake.hide("libcudnn.so.9");
            try (var process = new DeviceProcess(environment)) {
                assertThat(process.ask("load"))
                        .startsWith("UNLOADABLE at its operator Conv: cuDNN 9 is needed for this model and is missing");
                assertThat(process.ask("cpu")).isEqualTo("ran 40");
            }
        }
    }

    @Test
    void modelsWithoutConvolutionsNeedNoCudnn() throws IOException {
        fake.hide("libcudnn.so.9");
        try (var process = new DeviceProcess(environment())) {
            assertThat(process.ask("load")).isEqualTo("loaded");
            assertThat(process.ask("run 1")).isEqualTo("ran 256");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {214, 700, 702, 710, 714, 715, 716, 717, 718, 719, 810, 999})
    void stickyErrorLosesDevice(int error) throws IOException {
        try (var process = new DeviceProcess(environment())) {
            assertThat(process.ask("load")).isEqualTo("loaded");
            fake.set("copy-error", error);
            assertThat(process.ask("run 1"))
                    .startsWith("DEVICE_LOST the GPU was lost: ")
                    .contains("(CUDA error %d); this replica ends and another one takes its place, so call again"
                            .formatted(error));
            assertCpuComputes(process);
        }
    }

    @Test
    void otherErrorFailsOneRun() throws IOException {
        try (var process = new DeviceProcess(environment())) {
            assertThat(process.ask("load")).isEqualTo("loaded");
            fake.set("copy-error", 1);
            assertThat(process.ask("run 1")).startsWith("FAILED the GPU failed: fake error 1 (CUDA error 1)");
            fake.unset("copy-error");
            assertThat(process.ask("run 1")).isEqualTo("ran 256");
        }
    }

    /** 2,000 rows of 400 floats each are more than the limit; the device's memory is not. */
    @Test
    void limitOfModelIsTold() throws IOException {
        Map<String, String> environment = new HashMap<>(environment());
        environment.put("KNABLA_GPU_MEMORY_BYTES", Long.toString(2 << 20));
        try (var process = new DeviceProcess(environment)) {
            assertThat(process.ask("load")).isEqualTo("loaded");
            assertThat(process.ask("run 2000"))
                    .startsWith(
                            "OUT_OF_DEVICE_MEMORY this needs at least 4 MiB of device memory, and the model may have 2 MiB; lower batching.maxSize");
            assertThat(process.ask("run 1")).isEqualTo("ran 256");
            assertCpuComputes(process);
        }
    }

    /** What the first run of the largest batch needs shows before the replica serves. */
    @Test
    void limitTooSmallForLargestBatchIsRefusedAtStart() throws IOException {
        Map<String, String> environment = new HashMap<>(environment());
        environment.put("KNABLA_GPU_MEMORY_BYTES", Long.toString(2 << 20));
        environment.put("KNABLA_BATCH_MAX_SIZE", "2000");

        assertNotLoaded(environment, "OUT_OF_DEVICE_MEMORY this needs at least 4 MiB of device memory");
    }

    @Test
    void fullDeviceIsTold() throws IOException {
        try (var process = new DeviceProcess(environment())) {
            assertThat(process.ask("load")).isEqualTo("loaded");
            fake.set("bytes", 5_000_000);
            assertThat(process.ask("run 10000"))
                    .startsWith("OUT_OF_DEVICE_MEMORY the GPU's memory is full, 16 MiB more did not fit");
            fake.unset("bytes");
            assertThat(process.ask("run 10000")).isEqualTo("ran 2560000");
            assertCpuComputes(process);
        }
    }

    @Test
    void fullDeviceIsToldAtLoad() throws IOException {
        fake.set("bytes", 100_000);

        assertNotLoaded(environment(), "OUT_OF_DEVICE_MEMORY the GPU's memory is full, 1 MiB more did not fit");
    }

    /** What the provider itself says, where nobody looked for its libraries before. */
    @ParameterizedTest
    @CsvSource({
        "libcublasLt.so.13, LIBRARY_MISSING: the CUDA library libcublasLt.so.13 is missing; ./knabla doctor --gpu",
        "libcuda.so.1, 'DRIVER_MISSING: this machine has no NVIDIA driver, or the pod asked for no GPU'",
    })
    void providerTellsMissingLibrary(String library, String sentence) throws Exception {
        fake.hide(library);

        assertThat(bare("Relu")).first().asString().startsWith(sentence);
    }

    @Test
    void partWithoutKernelIsToldWhereCpuIsForbidden() throws Exception {
        assertThat(bare("Acos", "session.disable_cpu_ep_fallback", "1"))
                .first()
                .asString()
                .startsWith("NOT_ON_DEVICE: a part of this model has no code for GPUs");
        assertThat(bare("Acos")).first().isEqualTo("no failure");
    }

    private List<String> bare(String... arguments) throws Exception {
        Map<String, String> environment = new HashMap<>(fake.environment());
        environment.merge(
                "LD_LIBRARY_PATH",
                fake.home().resolve("nvidia/cu13/lib").toString(),
                (driver, cuda) -> driver + ":" + cuda);
        Process process = DeviceProcess.start(BareProvider.class, environment, arguments);
        List<String> lines = process.inputReader().readAllLines();
        assertThat(process.waitFor()).isZero();
        assertThat(lines).hasSize(2).last().isEqualTo("on the CPU: 4");
        return lines;
    }
}
