package io.knabla.runtime.check;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.units.TestUnit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks gradients of model families exported by PyTorch, packaged and checked as at a deploy. */
class FamiliesGradientCheckTest {
    private static final Path FAMILIES = Path.of("../functions/compiler/src/test/resources/families/families.zip");

    static Stream<String> families() throws IOException {
        try (var zip = new ZipFile(FAMILIES.toFile())) {
            List<String> names = new ArrayList<>();
            zip.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith("/model.onnx"))
                    .filter(name -> !name.contains("_optimized"))
                    .forEach(names::add);
            assertThat(names).hasSizeGreaterThan(50);
            return names.stream();
        }
    }

    private static ModelProto model(String name) throws IOException {
        try (var zip = new ZipFile(FAMILIES.toFile());
                var in = zip.getInputStream(zip.getEntry(name))) {
            return ModelProto.parseFrom(in);
        }
    }

    private static TestUnit packaged(ModelProto model, String withRespectTo) throws IOException {
        return TestUnit.of(model, """
                type: Gradient
                gradient:
                  loss: {output: "%s", function: MSE, target: the-target}
                  withRespectTo: [%s]
                  unreachable: Zero
                """.formatted(model.getGraph().getOutput(0).getName(), withRespectTo));
    }

    @ParameterizedTest
    @MethodSource("families")
    void gradientsAgreeWithFiniteDifferences(String name) throws Exception {
        ModelProto model = model(name);
        boolean weights = model.getGraph().getInitializerCount() > 0;
        try (var unit = packaged(model, weights ? "parameters" : "inputs")) {
            GraphManifest manifest = unit.manifest();
            try (var engine = Engine.open(unit.folder(), manifest, EngineSettings.DEFAULTS)) {
                GradientCheckResult verdict =
                        GradientCheck.check(engine, manifest).orElseThrow();
                assertThat(verdict).isInstanceOf(GradientCheckResult.Agrees.class);
            }
        }
    }
}
