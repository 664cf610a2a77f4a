package io.knabla.functions.compiler.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.autodiff.Differentiation;
import io.knabla.functions.compiler.autodiff.Differentiator;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.Loss;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossFunction;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossOptions;
import io.knabla.functions.compiler.autodiff.options.Gradient.Memory;
import io.knabla.functions.compiler.autodiff.options.Gradient.MemoryStrategy;
import io.knabla.functions.compiler.autodiff.options.Gradient.Reduction;
import io.knabla.functions.compiler.autodiff.options.Gradient.Unreachable;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checks the warnings about export settings that break differentiation or training. */
class ExportPitfallsTest {

    @Test
    void warnsAboutFoldedBatchNormalization() {
        assertThat(warnings(family("resnet_optimized"), "y0")).anyMatch(w -> w.contains("folded BatchNormalization"));
    }

    @Test
    void warnsAboutInferenceBatchNormalization() {
        assertThat(warnings(family("resnet"), "y0"))
                .anyMatch(w -> w.contains("inference form"))
                .noneMatch(w -> w.contains("folded"));
    }

    @Test
    void warnsAboutMergedBiases() {
        ModelProto merged = new Onnx()
                .input("x", ElementType.FLOAT, 2, 3)
                .output("y", ElementType.FLOAT, 2, 3)
                .weights("fc.weight", 3, 3)
                .initializer(NdArray.floats(new int[] {3}, 0, 0, 0).toProto("fc1.bias"))
                .node("Gemm", List.of("x", "fc.weight", "fc1.bias"), "h")
                .node("Gemm", List.of("h", "fc.weight", "fc1.bias"), "y")
                .build();

        assertThat(warnings(merged, "y"))
                .singleElement()
                .asString()
                .startsWith("'fc1.bias' is used by several operations");
    }

    private static ModelProto family(String name) {
        return Fixtures.read("/families/families.zip").stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow()
                .model();
    }

    private static List<String> warnings(ModelProto model, String output) {
        var loss = new Loss(
                output, Optional.of(LossFunction.MSE), Optional.of("target"), Reduction.Mean, LossOptions.DEFAULT);
        var gradient = new Gradient(
                loss,
                List.of("parameters"),
                Unreachable.Refuse,
                Optional.empty(),
                new Memory(MemoryStrategy.None, Optional.empty()));
        return switch (Differentiator.differentiate(Model.of(model), new GradientRequest(Kind.GRADIENT, gradient))) {
            case Differentiation.Differentiated done -> done.warnings();
            case Differentiation.NotDifferentiated(var faults) -> throw new AssertionError(faults.toString());
        };
    }
}
