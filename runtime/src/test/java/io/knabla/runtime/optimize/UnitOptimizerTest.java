package io.knabla.runtime.optimize;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.engine.OfflineOptimizer;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.units.AnalyticModels;
import io.knabla.runtime.units.TestUnit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a value computed twice on purpose is still computed twice after optimisation. */
class UnitOptimizerTest {
    @TempDir
    Path cache;

    /** {@code y = tanh(x·W) + (tanh(x·W))²}, where both terms compute the same value again, and a foldable shape. */
    private static ModelProto twice() {
        return new Onnx()
                .input("x", FLOAT, "n", 32)
                .output("y", FLOAT, "n", 32)
                .weights("W", 32, 32)
                .node("MatMul", List.of("x", "W"), "a1")
                .node("Tanh", List.of("a1"), "b1")
                .node("MatMul", List.of("x", "W"), "a2")
                .node("Tanh", List.of("a2"), "b2")
                .node("Identity", List.of("b2"), "b3")
                .node("Mul", List.of("b3", "b3"), "c")
                .node("Add", List.of("b1", "c"), "y")
                .build();
    }

    private static TestUnit unit(Optimization optimization) throws Exception {
        return new TestUnit().main(twice()).optimization(optimization).write();
    }

    private ModelProto graph(TestUnit unit, Digest digest) throws Exception {
        Path folder = new UnitStore(unit.store()).materialise(digest, cache);
        return ModelProto.parseFrom(Files.readAllBytes(folder.resolve(UnitStore.GRAPH)));
    }

    private static long count(ModelProto model, String op) {
        return model.getGraph().getNodeList().stream()
                .map(NodeProto::getOpType)
                .filter(op::equals)
                .count();
    }

    @Test
    void keepsDuplicateNodesButFoldsConstants() throws Exception {
        try (var unit = unit(Optimization.NO_CSE)) {
            Digest optimized = UnitOptimizer.optimize(new UnitStore(unit.store()), unit.unit(), cache);

            GraphManifest manifest = new UnitStore(unit.store()).read(optimized).graphs();
            assertThat(manifest.optimization()).isEqualTo(Optimization.NONE);
            assertThat(manifest.inputs()).isEqualTo(unit.manifest().inputs());
            ModelProto graph = graph(unit, optimized);
            assertThat(count(graph, "Tanh")).isEqualTo(2);
            assertThat(count(graph, "Identity")).isZero();
            assertThat(manifest.weights()).singleElement().satisfies(weights -> {
                assertThat(weights.size()).isGreaterThanOrEqualTo(32 * 32 * 4);
                assertThat(graph.getGraph().getInitializer(0).getExternalDataList())
                        .anySatisfy(entry -> assertThat(entry.getValue())
                                .isEqualTo(weights.digest().hex()));
            });
            assertThat(run(unit, optimized)).containsExactly(run(unit, unit.unit()));
        }
    }

    private float[] run(TestUnit unit, Digest digest) throws Exception {
        var units = new UnitStore(unit.store());
        Path folder = units.materialise(digest, cache);
        float[] x = new float[64];
        for (int i = 0; i < x.length; i++) {
            x[i] = (i % 11 - 5) / 3f;
        }
        try (var engine = Engine.open(folder, UnitStore.readMaterialised(folder).graphs(), EngineSettings.DEFAULTS)) {
            Tensor input = Tensor.numbers(
                    "x", io.knabla.functions.unit.DataType.FP32, new long[] {2, 32}, AnalyticModels.floats(x));
            return engine.run(Optional.empty(), List.of(input), new boolean[] {true}, System.nanoTime(), answer -> {
                float[] y = new float[64];
                answer.outputs().getFirst().data().asFloatBuffer().get(y);
                input.close();
                return y;
            });
        }
    }

    /** If the unit was not optimised ahead of time, the replica optimises it once and keeps the result. */
    @Test
    void replicaOptimisesUnitThatWasNotOptimised() throws Exception {
        try (var unit = unit(Optimization.NO_CSE)) {
            float[] first = run(unit, unit.unit());
            Path folder = new UnitStore(unit.store()).materialise(unit.unit(), cache);
            List<Path> files;
            try (var all = Files.list(folder)) {
                files = all.filter(file -> file.getFileName().toString().startsWith("optimized-"))
                        .toList();
            }
            assertThat(files).hasSize(2);
            Path graph = files.stream()
                    .filter(f -> f.toString().endsWith(".onnx"))
                    .findFirst()
                    .orElseThrow();
            assertThat(count(ModelProto.parseFrom(Files.readAllBytes(graph)), "Tanh"))
                    .isEqualTo(2);
            var written = Files.getLastModifiedTime(graph);

            assertThat(run(unit, unit.unit())).containsExactly(first);
            assertThat(Files.getLastModifiedTime(graph)).isEqualTo(written);
        }
    }

    @Test
    void otherUnitsStayUnchanged() throws Exception {
        for (Optimization other : List.of(Optimization.FULL, Optimization.NONE)) {
            try (var unit = unit(other)) {
                assertThat(UnitOptimizer.optimize(new UnitStore(unit.store()), unit.unit(), cache))
                        .isEqualTo(unit.unit());
            }
        }
    }

    @Test
    void optimisationIsDeterministic() throws Exception {
        try (var unit = unit(Optimization.NO_CSE)) {
            var units = new UnitStore(unit.store());
            assertThat(UnitOptimizer.optimize(units, unit.unit(), cache))
                    .isEqualTo(UnitOptimizer.optimize(units, unit.unit(), cache))
                    .isNotEqualTo(unit.unit());
        }
    }

    /** The reason for all this: by default the engine undoes recomputation. */
    @Test
    void engineMergesEqualNodesByDefault() throws Exception {
        Path graph = Onnx.save(twice(), cache.resolve("twice.onnx"));
        Path merged = cache.resolve("merged.onnx");
        try (var environment = ai.onnxruntime.OrtEnvironment.getEnvironment();
                var options = new ai.onnxruntime.OrtSession.SessionOptions()) {
            options.setOptimizedModelFilePath(merged.toString());
            environment.createSession(graph.toString(), options).close();
        }
        Path kept = cache.resolve("kept.onnx");
        OfflineOptimizer.optimize(graph, kept, "kept.weights");

        assertThat(count(ModelProto.parseFrom(Files.readAllBytes(merged)), "Tanh"))
                .isEqualTo(1);
        assertThat(count(ModelProto.parseFrom(Files.readAllBytes(kept)), "Tanh"))
                .isEqualTo(2);
    }
}
