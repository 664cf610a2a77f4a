package io.knabla.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchModelTest {
    @TempDir
    Path folder;

    @Test
    void modelHasOneMegabyte() throws Exception {
        BenchModel model = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("m.onnx"));

        assertThat(Files.size(model.file())).isBetween(990_000L, 1_010_000L);
        assertThat(model.expected()).hasSize(64);
    }

    @Test
    void modelIsDeterministic() {
        assertThat(Mlp.ofOneMegabyte().onnx()).isEqualTo(Mlp.ofOneMegabyte().onnx());
    }

    @Test
    void deepModelKeepsValuesInRange() {
        BenchModel model = BenchModel.write(Mlp.deepAndThin(), folder.resolve("deep.onnx"));

        float largest = 0;
        for (float value : model.expected()) {
            largest = Math.max(largest, Math.abs(value));
        }
        assertThat(largest).isBetween(0.01f, 100f);
    }
}
