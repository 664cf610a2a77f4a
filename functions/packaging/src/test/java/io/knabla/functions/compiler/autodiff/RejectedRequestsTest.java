package io.knabla.functions.compiler.autodiff;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.Fault;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.autodiff.Differentiation.NotDifferentiated;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that invalid requests report all faults at once, each with a remedy. */
class RejectedRequestsTest {
    private final ObjectNode block = DifferentiationFixture.object();
    private final ObjectNode loss = block.putObject("loss");

    @Test
    void reportsAllFaultsAtOnce() {
        loss.put("output", "logits").put("function", "MSE").put("target", "x");
        block.putArray("withRespectTo").add("nothing*").add("ids");

        List<Fault> faults = faults(model());

        assertThat(faults)
                .extracting(Fault::path)
                .containsExactlyInAnyOrder(
                        "spec.gradient.loss.output",
                        "spec.gradient.loss.target",
                        "spec.gradient.withRespectTo[0]",
                        "spec.gradient.withRespectTo[1]");
        assertThat(faults.getFirst().message()).contains("no output 'logits'", "[y, picked, which]");
    }

    @Test
    void rejectsIntegerLossOutput() {
        loss.put("output", "which");
        block.putArray("withRespectTo").add("inputs");

        assertThat(faults(model())).singleElement().asString().contains("'which' holds INT64");
    }

    @Test
    void rejectsTensorOutputWithoutLossFunction() {
        loss.put("output", "y");
        block.putArray("withRespectTo").add("inputs");

        assertThat(faults(model()))
                .singleElement()
                .asString()
                .contains("no scalar", "{output: y, function: SoftmaxCrossEntropy, target: label}");
    }

    @Test
    void rejectsClassAxisOutOfRange() {
        for (int axis : new int[] {2, -3}) {
            block.putObject("loss")
                    .put("output", "y")
                    .put("function", "SoftmaxCrossEntropy")
                    .put("target", "label")
                    .put("axis", axis);
            block.putArray("withRespectTo").add("w");

            assertThat(faults(model())).singleElement().satisfies(fault -> {
                assertThat(fault.path()).isEqualTo("spec.gradient.loss.axis");
                assertThat(fault.message()).contains("is " + axis, "2 dimensions", "from -2 to 1");
            });
        }
    }

    @Test
    void rejectsUnreachableTargetUnlessZero() {
        loss.put("output", "picked").put("function", "MSE").put("target", "t");
        block.putArray("withRespectTo").add("w");

        assertThat(faults(model()))
                .singleElement()
                .asString()
                .contains("w", "does not depend on it", "unreachable: Zero");

        block.put("unreachable", "Zero");
        assertThat(DifferentiationFixture.differentiateOrFail(model(), Kind.GRADIENT, block)
                        .entries())
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Round", "Floor", "Sign"})
    void namesTheOperatorThatPassesNoGradient(String operator) {
        loss.put("output", "y").put("function", "MSE").put("target", "t");
        block.putArray("withRespectTo").add("x");
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, 1, 4)
                .output("y", ElementType.FLOAT, 1, 4)
                .node("Exp", List.of("x"), "e")
                .node(operator, List.of("e"), "r")
                .node("Neg", List.of("r"), "y")
                .build();

        assertThat(faults(model))
                .singleElement()
                .asString()
                .contains("only through " + operator + " '", "passes no gradient back", "unreachable: Zero");
    }

    @Test
    void namesQuantizationThatPassesNoGradient() {
        loss.put("output", "y").put("function", "MSE").put("target", "t");
        block.putArray("withRespectTo").add("x");
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, 1, 4)
                .input("scale", ElementType.FLOAT)
                .output("y", ElementType.FLOAT, 1, 4)
                .node("QuantizeLinear", List.of("x", "scale"), "q")
                .node("DequantizeLinear", List.of("q", "scale"), "y")
                .build();

        assertThat(faults(model)).singleElement().asString().contains("only through QuantizeLinear '");
    }

    @Test
    void namesOperatorWithoutDerivativeAndItsPath() {
        loss.put("output", "y").put("function", "MSE").put("target", "t");
        block.putArray("withRespectTo").add("x");
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, 1, 1, 4, 4)
                .output("y", ElementType.FLOAT, 1, 1, 2, 2)
                .weights("region", 1, 5)
                .node("MaxRoiPool", List.of("x", "region"), "r", Onnx.ints("pooled_shape", 2, 2))
                .node("Exp", List.of("r"), "y")
                .build();

        assertThat(faults(model))
                .singleElement()
                .asString()
                .contains("MaxRoiPool 'maxroipool0'", "Mul", "← Exp 'exp1' ← MaxRoiPool", "withRespectTo");
    }

    @Test
    void rejectsTrainingOfInputs() {
        loss.put("output", "y").put("function", "MSE").put("target", "t");
        block.putArray("withRespectTo").add("x");
        block.putObject("optimizer").put("type", "SGD").put("learningRate", 0.1);

        assertThat(faults(DifferentiationFixture.differentiate(model(), Kind.TRAINING_STEP, block)))
                .singleElement()
                .asString()
                .contains("'x' is not an initializer");
    }

    /** y = x·w; picked = x[ids]; which = ids. */
    private static ModelProto model() {
        return new Onnx()
                .input("x", ElementType.FLOAT, 3, 4)
                .input("ids", ElementType.INT64, 2)
                .output("y", ElementType.FLOAT, 3, 2)
                .output("picked", ElementType.FLOAT, 2, 4)
                .output("which", ElementType.INT64, 2)
                .weights("w", 4, 2)
                .node("MatMul", List.of("x", "w"), "y")
                .node("Gather", List.of("x", "ids"), "picked")
                .node("Identity", List.of("ids"), "which")
                .build();
    }

    private List<Fault> faults(ModelProto model) {
        return faults(DifferentiationFixture.differentiate(model, Kind.GRADIENT, block));
    }

    private static List<Fault> faults(Differentiation differentiation) {
        return switch (differentiation) {
            case NotDifferentiated(var faults) -> faults;
            case Differentiation.Differentiated done ->
                throw new AssertionError("was differentiated: " + done.warnings());
        };
    }
}
