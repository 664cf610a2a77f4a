package io.knabla.runtime.modes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.Sha256;
import io.knabla.runtime.engine.CudaDevice;
import io.knabla.runtime.engine.Device;
import io.knabla.runtime.engine.DeviceMemoryLimit;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GpuSettingsTest {
    private static Settings settings(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(
                Map.of("KNABLA_UNIT", "sha256:" + "0".repeat(64), "KNABLA_STORE", "file:///s", "KNABLA_CACHE", "/c"));
        all.putAll(more);
        return Settings.parse(all);
    }

    @Test
    void computesOnTheCpuUnlessAsked() {
        assertThat(settings(Map.of()).engine().device()).isSameAs(Device.CPU);
        assertThat(settings(Map.of("KNABLA_DEVICE", "cpu")).engine().device()).isSameAs(Device.CPU);
    }

    @ParameterizedTest
    @CsvSource({"cuda, 0", "cuda:0, 0", "cuda:3, 3"})
    void aGpuHasANumber(String text, int index) {
        Device device = settings(Map.of("KNABLA_DEVICE", text, "KNABLA_GPU_MEMORY_BYTES", "8589934592"))
                .engine()
                .device();

        assertThat(device).isInstanceOfSatisfying(CudaDevice.class, cuda -> {
            assertThat(cuda.index()).isEqualTo(index);
            assertThat(cuda.limit()).isEqualTo(new DeviceMemoryLimit.Fixed(1L << 33));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpu", "cuda:", "cuda:-1", "CUDA"})
    void otherDevicesAreRefused(String text) {
        assertThatThrownBy(() -> settings(Map.of("KNABLA_DEVICE", text)))
                .hasMessageContaining("KNABLA_DEVICE is '%s'", text)
                .hasMessageContaining("cuda:1 for the second GPU");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "8Gi", "99999999999999999999"})
    void otherSizesAreRefused(String text) {
        assertThatThrownBy(() -> settings(Map.of("KNABLA_DEVICE", "cuda", "KNABLA_GPU_MEMORY_BYTES", text)))
                .hasMessageContaining("KNABLA_GPU_MEMORY_BYTES is '%s'", text);
    }

    @Test
    void aShareOfAGpuHasAShareOfItsMemory() {
        Device device = settings(Map.of("KNABLA_DEVICE", "cuda", "KNABLA_GPU_PARTS", "4"))
                .engine()
                .device();

        assertThat(device)
                .isInstanceOfSatisfying(
                        CudaDevice.class, cuda -> assertThat(cuda.limit()).isEqualTo(new DeviceMemoryLimit.Share(4)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "17", "a quarter"})
    void otherSharesAreRefused(String text) {
        assertThatThrownBy(() -> settings(Map.of("KNABLA_DEVICE", "cuda", "KNABLA_GPU_PARTS", text)))
                .hasMessageContaining("KNABLA_GPU_PARTS is '%s'", text);
    }

    @Test
    void aContainerWithoutAGpuIsRefused() {
        assertThatThrownBy(() -> settings(Map.of("KNABLA_DEVICE", "cuda", "NVIDIA_VISIBLE_DEVICES", "void")))
                .hasMessageContaining("this container was given no GPU; ask for one with resources.gpu: 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {TextLoader.GENERATION, TextLoader.ENCODER})
    void functionsOfTextsAreRefusedOnAGpu(String type, @TempDir Path folder) {
        byte[] bytes = {};
        var manifest = new FileManifest(type, Map.of("model.onnx", new Blob(Sha256.of(bytes), bytes.length)));

        assertThatThrownBy(
                        () -> new TextLoader().open(folder, manifest, settings(Map.of("KNABLA_DEVICE", "cuda")), false))
                .hasMessageStartingWith("a function of type %s computes on the CPU only", type);
    }
}
