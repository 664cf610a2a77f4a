package io.knabla.runtime.check;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.units.AnalyticModels;
import io.knabla.runtime.units.TestUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks units with correct and wrong gradients on the real engine. */
class GradientCheckTest {
    private static Optional<GradientCheckResult> verdict(TestUnit unit) throws Exception {
        try (unit;
                var engine = Engine.open(unit.folder(), unit.manifest(), EngineSettings.DEFAULTS)) {
            return GradientCheck.check(engine, unit.manifest());
        }
    }

    @Test
    void rightGradientsAgree() throws Exception {
        assertThat(verdict(AnalyticModels.tanh()))
                .hasValueSatisfying(verdict -> assertThat(verdict)
                        .isInstanceOfSatisfying(GradientCheckResult.Agrees.class, agrees -> {
                            assertThat(agrees.error()).isPositive().isLessThan(1e-3);
                            assertThat(agrees.kinks()).isZero();
                            assertThat(agrees.directions()).isEqualTo(3);
                        }));
    }

    @ParameterizedTest
    @ValueSource(floats = {0, 0.5f, 0.95f, 1.05f, -1})
    void wrongGradientsAreFound(float factor) throws Exception {
        assertThat(verdict(AnalyticModels.wrong(factor)))
                .hasValueSatisfying(v -> assertThat(v).isInstanceOf(GradientCheckResult.Differs.class));
    }

    @Test
    void unitsWithoutGradientsAreNotTested() throws Exception {
        assertThat(verdict(new TestUnit().main(Onnx.dynamic()).write())).isEmpty();
    }

    private static ModelProto root(boolean perturbed) {
        var onnx = new Onnx()
                .input("x", FLOAT, 4)
                .output("loss", FLOAT)
                .node("Neg", List.of(perturbed ? "moved" : "x"), "minus")
                .node("Sqrt", List.of("minus"), "root")
                .node("ReduceSum", List.of("root"), "loss", Onnx.integer("keepdims", 0));
        if (perturbed) {
            return new Onnx()
                    .input("x", FLOAT, 4)
                    .input("eps", FLOAT)
                    .input("dir:x", FLOAT, 4)
                    .output("loss", FLOAT)
                    .node("Mul", List.of("eps", "dir:x"), "step")
                    .node("Add", List.of("x", "step"), "moved")
                    .node("Neg", List.of("moved"), "minus")
                    .node("Sqrt", List.of("minus"), "root")
                    .node("ReduceSum", List.of("root"), "loss", Onnx.integer("keepdims", 0))
                    .build();
        }
        return onnx.output("x_grad", FLOAT, 4)
                .node("Identity", List.of("root"), "x_grad")
                .build();
    }

    @Test
    void nonFiniteLossIsNotTried() throws Exception {
        var unit =
                new TestUnit().main(root(false)).entry("perturbed", root(true)).write();
        assertThat(verdict(unit))
                .hasValueSatisfying(v -> assertThat(v)
                        .isEqualTo(new GradientCheckResult.NotTried(
                                "on random inputs the loss is not finite, or not deterministic")));
    }
}
