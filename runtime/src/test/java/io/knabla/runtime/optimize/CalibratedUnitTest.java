package io.knabla.runtime.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.decoder.TestModel;
import io.knabla.functions.packaging.FolderPackager;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.Submission;
import io.knabla.runtime.generation.loop.TextGenerator;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibratedUnitTest {
    private final MemoryObjectStore store = new MemoryObjectStore();

    @TempDir
    Path folder;

    private Digest pack(String cache) throws IOException {
        String text =
                "{apiVersion: knabla.dev/v1alpha1, kind: Function, metadata: {name: f}, spec: {type: Generation, model: m/, generation: {kvCache: {type: %s}}}}"
                        .formatted(cache);
        if (!(FunctionYaml.parse(text) instanceof Parsed.Valid(var resource))) {
            throw new AssertionError(text);
        }
        Path model = TestModel.of("llama").write(folder.resolve(cache));
        return switch (FolderPackager.pack(model, resource.spec(), store)) {
            case PackagingResult.Packaged packaged -> packaged.unit();
            case PackagingResult.Refused(var faults) -> throw new AssertionError(faults);
        };
    }

    @Test
    void hasTheScalesInThePlaceOfTheirGraphAndServes() throws IOException, InterruptedException {
        var units = new UnitStore(store);
        Digest packaged = pack("Int8");

        Digest calibrated = UnitOptimizer.optimize(units, packaged, folder.resolve("cache"));

        assertThat(units.read(packaged).files()).containsKey("calibration.onnx").doesNotContainKey("kv-scales.bin");
        assertThat(units.read(calibrated).files())
                .containsOnlyKeys("decoder.onnx", "weights.bin", "tokenizer.bin", "generation.json", "kv-scales.bin");
        assertThat(UnitOptimizer.optimize(units, packaged, folder.resolve("again")))
                .isEqualTo(calibrated);
        assertThat(UnitOptimizer.optimize(units, calibrated, folder.resolve("cache")))
                .isEqualTo(calibrated);
        try (var generator = TextGenerator.open(units.materialise(calibrated, folder.resolve("cache")), 1)) {
            var request = new GenerationRequest(new int[] {5, 9, 7}, 4, Sampling.GREEDY, List.of(), -1, true);
            assertThat(generator.submit(request)).isInstanceOf(Submission.Accepted.class);
            assertThat(generator.statistics().kvBytesBudget())
                    .isEqualTo(16 * 128 * generator.settings().bytesPerToken());
        }
    }

    @Test
    void staysAsItIsWith32Bits() throws IOException {
        Digest packaged = pack("Float32");

        assertThat(UnitOptimizer.optimize(new UnitStore(store), packaged, folder.resolve("cache")))
                .isEqualTo(packaged);
    }
}
