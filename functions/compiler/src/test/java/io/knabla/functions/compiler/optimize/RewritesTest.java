package io.knabla.functions.compiler.optimize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
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
import io.knabla.functions.compiler.optimize.algebra.Simplification;
import io.knabla.functions.compiler.optimize.pattern.OperatorFusion;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks that rewritten graphs give the same results with the expected operations. */
class RewritesTest {
    private static final double CLOSE = 1e-6;

    private final Builder builder = new Builder(20);
    private final Ops code = new Ops(builder);
    private final Value x = builder.input("x", TensorType.of(ElementType.FLOAT, Shape.of(4, 6)));

    private Dag dag(Value y) {
        return new Dag(builder, Map.of("x", x), Map.of("y", y), Map.of(), Map.of());
    }

    @Test
    void geluWithTanhAsHuggingFaceExportsIt() throws OrtException {
        Value cube = code.mul(code.pow(x, code.scalar(x, 3)), 0.044714998453855515);
        Value tanh = code.op("Tanh", code.mul(code.add(x, cube), 0.7978845834732056));
        Dag chain = dag(code.mul(code.mul(x, 0.5), code.add(tanh, 1)));

        same(chain, OperatorFusion.apply(chain), "Gelu");
    }

    @Test
    void geluWithErfInEveryOrder() throws OrtException {
        Value sum = code.add(code.op("Erf", code.div(x, Math.sqrt(2))), 1);
        for (Value y : List.of(
                code.mul(code.mul(x, sum), 0.5), code.mul(code.mul(x, 0.5), sum), code.mul(x, code.mul(sum, 0.5)))) {
            same(dag(y), OperatorFusion.apply(dag(y)), "Gelu");
        }
    }

    @Test
    void notGelu() {
        Value sum = code.add(code.op("Erf", code.mul(x, 0.5)), 1);
        Dag other = dag(code.mul(code.mul(x, sum), 0.5));

        assertThat(operators(OperatorFusion.apply(other))).doesNotContain("Gelu");
    }

    @Test
    void logSoftmax() throws OrtException {
        Dag chain = dag(code.log(code.op("Softmax", Attributes.of("axis", 1), x)));

        same(chain, OperatorFusion.apply(chain), "LogSoftmax");
    }

    @Test
    void removesRedundantExpand() throws OrtException {
        Value rows = code.reduceMean(x, List.of(1L), true);
        Dag chain = dag(code.mul(code.mul(x, 3), code.expandLike(rows, x)));

        Dag simple = Simplification.apply(chain);

        same(chain, simple, "ReduceMean", "Mul", "Mul");
        Value full = simple.outputs().get("y").producer().orElseThrow().input(0);
        assertThat(full).as("the constant is multiplied with the small one").isSameAs(x);
    }

    @Test
    void simplifiesAdjointOfALabelLoss() throws OrtException {
        Value logs = code.op("LogSoftmax", Attributes.of("axis", 1), x);
        Value labels = code.ints(2, 0, 5, 2);
        Value numbers = code.slice(x, 1, 0, 1);
        Value sparse = code.scatterAdd(code.zeros(x), code.unsqueeze(labels, 1), numbers, 1);
        Value sum = code.reduceSum(sparse, List.of(1L), true);
        Dag chain = dag(code.sub(sparse, code.mul(code.exp(logs), sum)));

        Dag simple = Simplification.apply(chain);

        assertThat(operators(simple)).doesNotContain("Sub", "Expand").contains("ScatterElements");
        equal(chain, simple);
    }

    private static void same(Dag before, Dag after, String... operators) throws OrtException {
        assertThat(operators(after)).containsExactly(operators);
        equal(before, after);
    }

    private static List<String> operators(Dag dag) {
        return dag.ops().stream().map(Op::type).toList();
    }

    private static void equal(Dag before, Dag after) throws OrtException {
        double[] numbers =
                IntStream.range(0, 24).mapToDouble(i -> (i - 11) * 0.37).toArray();
        Map<String, NdArray> feeds = Map.of("x", NdArray.floats(new int[] {4, 6}, numbers));
        double[] expected =
                OnnxRuntime.run(Exporter.write(before), feeds).get("y").reals();
        double[] found = OnnxRuntime.run(Exporter.write(after), feeds).get("y").reals();
        for (int i = 0; i < expected.length; i++) {
            double close = CLOSE * Math.max(1, Math.abs(expected[i]));
            assertThat(found[i]).as("y[%d]", i).isCloseTo(expected[i], within(close));
        }
    }
}
