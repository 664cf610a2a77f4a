package io.knabla.functions.compiler.autodiff;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.autodiff.Differentiation.Differentiated;
import io.knabla.functions.compiler.autodiff.Differentiation.NotDifferentiated;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.Clip;
import io.knabla.functions.compiler.autodiff.options.Gradient.Loss;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossFunction;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossOptions;
import io.knabla.functions.compiler.autodiff.options.Gradient.Memory;
import io.knabla.functions.compiler.autodiff.options.Gradient.MemoryStrategy;
import io.knabla.functions.compiler.autodiff.options.Gradient.Optimizer;
import io.knabla.functions.compiler.autodiff.options.Gradient.OptimizerType;
import io.knabla.functions.compiler.autodiff.options.Gradient.Reduction;
import io.knabla.functions.compiler.autodiff.options.Gradient.Schedule;
import io.knabla.functions.compiler.autodiff.options.Gradient.Unreachable;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Trains a network with a buffer that only its author knows, and leaves values out. */
class ExceptTest {
    private static ModelProto model() {
        return new Onnx()
                .input("x", ElementType.FLOAT, "n", 4)
                .output("y", ElementType.FLOAT, "n", 3)
                .weights("a.weight", 4, 8)
                .weights("scale", 8)
                .weights("b.weight", 8, 3)
                .node("MatMul", List.of("x", "a.weight"), "h")
                .node("Mul", List.of("h", "scale"), "s")
                .node("MatMul", List.of("s", "b.weight"), "y")
                .build();
    }

    private static Differentiation step(String... except) {
        return step(model(), except);
    }

    private static Differentiation step(ModelProto model, String... except) {
        var loss = new Loss(
                "y", Optional.of(LossFunction.MSE), Optional.of("target"), Reduction.Mean, LossOptions.DEFAULT);
        var plain = new Optimizer(
                OptimizerType.SGD, 0.1, 0.9, false, 0.9, 0.999, 1e-8, 0, Schedule.CONSTANT, Optional.<Clip>empty(), 1);
        var gradient = new Gradient(
                loss,
                List.of("parameters"),
                List.of(except),
                Unreachable.Refuse,
                false,
                Optional.of(plain),
                new Memory(MemoryStrategy.None, Optional.empty()));
        return Differentiator.differentiate(Model.of(model), new GradientRequest(Kind.TRAINING_STEP, gradient));
    }

    private static List<String> trained(Differentiation done) {
        return ((Differentiated) done).state().stream().map(StateTensor::input).toList();
    }

    @Test
    void listsWhatIsTrained() {
        Differentiation all = step();

        assertThat(trained(all)).contains("a.weight", "scale", "b.weight");
        assertThat(((Differentiated) all).warnings())
                .anySatisfy(warning -> assertThat(warning)
                        .startsWith("each request trains 3 values: 'a.weight' [4, 8], 'scale' [8], 'b.weight' [8, 3]. ")
                        .contains("spec.gradient.except"));
    }

    @Test
    void leavesOutWhatThePatternsMatch() {
        Differentiation some = step("scale", "a.*");

        assertThat(trained(some)).contains("b.weight").doesNotContain("a.weight", "scale");
        assertThat(((Differentiated) some).warnings())
                .anySatisfy(warning -> assertThat(warning).startsWith("each request trains 1 value: 'b.weight'"));
    }

    /** As projections of one value, which inference may compute by one product with one joined weight. */
    @Test
    void whatIsLeftOutIsNotTrainedInsideOfAnother() {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, "n", 4)
                .output("y", ElementType.FLOAT, "n", 3)
                .weights("query", 4, 8)
                .weights("key", 4, 8)
                .weights("out", 8, 3)
                .node("MatMul", List.of("x", "query"), "q")
                .node("MatMul", List.of("x", "key"), "k")
                .node("Mul", List.of("q", "k"), "s")
                .node("MatMul", List.of("s", "out"), "y")
                .build();

        assertThat(((Differentiated) step(model, "query", "key")).warnings())
                .anySatisfy(warning -> assertThat(warning).startsWith("each request trains 1 value: 'out' [8, 3]. "));
    }

    @Test
    void patternsThatMatchNothingSelectedAreFaults() {
        assertThat(((NotDifferentiated) step("scale", "c.*")).faults())
                .singleElement()
                .asString()
                .contains(
                        "spec.gradient.except[1]",
                        "'c.*' is the name of none of the selected values: 'a.weight', 'scale', 'b.weight'");
    }

    @Test
    void somethingMustBeLeft() {
        assertThat(((NotDifferentiated) step("*")).faults())
                .singleElement()
                .asString()
                .contains("spec.gradient.except", "leaves out all of 'a.weight', 'scale', 'b.weight'");
    }
}
