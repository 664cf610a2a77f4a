package io.knabla.functions.compiler.autodiff.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rules of normalisations and Dropout. */
class NormalizationsTest {
    @Test
    void layer() {
        new RuleHarness().normal(2, 3, 5).normal(5).normal(5).symbolic(0, 0, 1).check("LayerNormalization");
    }

    @Test
    void layerAlongTwoAxesWithoutBias() {
        new RuleHarness()
                .normal(2, 3, 5)
                .normal(3, 5)
                .symbolic(0, 0)
                .check("LayerNormalization", Attributes.of("axis", 1).with("epsilon", 0.01));
    }

    /** Also uses the kernel's mean and inverse deviation as outputs. */
    @Test
    void statisticsOfALayer() {
        new RuleHarness().normal(2, 3, 5).normal(5).symbolic(0, 0, 1).check((code, in) -> {
            long precision = in.getFirst().element().number();
            var attributes = Attributes.of("axis", 2).with("stash_type", precision);
            var op = Op.Spec.of("LayerNormalization", attributes, in);
            List<Value> outputs = code.builder().op(op, 3).outputs();
            Value like = in.getFirst();
            return List.of(outputs.get(0), code.castLike(outputs.get(1), like), code.castLike(outputs.get(2), like));
        });
    }

    @Test
    void instance() {
        new RuleHarness()
                .normal(2, 3, 4, 2)
                .normal(3)
                .normal(3)
                .symbolic(0, 0, 2)
                .check("InstanceNormalization");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void batch(int training) {
        new RuleHarness()
                .normal(4, 3, 2, 2)
                .normal(3)
                .normal(3)
                .normal(3)
                .uniform(0.5, 2, 3)
                .symbolic(0, 0, 2)
                .check(
                        "BatchNormalization",
                        Attributes.of("training_mode", training).with("momentum", 0.75),
                        training == 1 ? 3 : 1);
    }

    @Test
    void batchOfRows() {
        new RuleHarness()
                .normal(4, 3)
                .normal(3)
                .normal(3)
                .normal(3)
                .uniform(0.5, 2, 3)
                .symbolic(0, 0)
                .check("BatchNormalization");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void dropoutPassesAdjointsOfKeptElements(boolean training) throws OrtException {
        var builder = new Builder(20);
        var code = new Ops(builder);
        Value x = builder.input("x", TensorType.of(ElementType.FLOAT, Shape.of(8, 8)));
        Value mode = builder.input("training", TensorType.of(ElementType.BOOL, Shape.SCALAR));
        Value ratio = code.scalar(ElementType.FLOAT, 0.25);
        Value y = code.op("Dropout", Attributes.of("seed", 3), x, ratio, mode);
        var inputs = new LinkedHashMap<String, Value>();
        inputs.put("x", x);
        inputs.put("training", mode);
        var dag = new Dag(builder, inputs, Map.of("y", y), Map.of(), Map.of());
        Dag vjp = Transforms.vjp(dag, List.of("y"), List.of(new GradientTarget("x", x)), UnreachablePolicy.REFUSE);
        NdArray ones = NdArray.filled(ElementType.FLOAT, new int[] {8, 8}, 1);

        var found = OnnxRuntime.run(
                Exporter.write(vjp),
                Map.of("x", ones, "ct:y", ones, "training", NdArray.scalar(ElementType.BOOL, training ? 1 : 0)));

        assertThat(found.get("x_grad").reals()).containsExactly(found.get("y").reals());
        double kept = java.util.Arrays.stream(found.get("y").reals())
                .filter(v -> v > 0)
                .count();
        assertThat(kept / 64).isCloseTo(training ? 0.75 : 1, within(training ? 0.2 : 1e-9));
    }

    @Test
    void inactiveDropoutIsIdentity() {
        new RuleHarness().normal(3, 4).check((code, in) -> List.of(code.op("Dropout", in.getFirst())));
    }
}
