package io.knabla.functions.compiler.autodiff.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks the derivative of GridSample where the published cases have none: batches of any size. */
class GridSamplingTest {
    private static final Dag GRADIENTS = gradients();

    private static Dag gradients() {
        var builder = new Builder(20);
        Value x = builder.input("x", type(1, 2, 2));
        Value grid = builder.input("grid", type(1, 1, 2));
        Value y = new Ops(builder).op("GridSample", Attributes.of("align_corners", 1), x, grid);
        var dag = new Dag(builder, Map.of("x", x, "grid", grid), Map.of("y", y), Map.of(), Map.of());
        var targets = List.of(new GradientTarget("x", x), new GradientTarget("grid", grid));
        return Transforms.vjp(dag, List.of("y"), targets, UnreachablePolicy.ZERO);
    }

    /** Of a batch of this type. */
    private static TensorType type(long... sizes) {
        return TensorType.of(
                ElementType.FLOAT,
                new Shape(List.of(new Dim.Symbol("n"), Dim.of(sizes[0]), Dim.of(sizes[1]), Dim.of(sizes[2]))));
    }

    private static NdArray floats(int[] dims, double... values) {
        return NdArray.reals(ElementType.FLOAT, dims, values);
    }

    /** A point a quarter of the way from the left, half of the way from the top. */
    @Test
    void ofOneImage() throws Exception {
        Map<String, NdArray> found = OnnxRuntime.run(
                Exporter.write(GRADIENTS),
                Map.of(
                        "x", floats(new int[] {1, 1, 2, 2}, 1, 2, 4, 8),
                        "grid", floats(new int[] {1, 1, 1, 2}, -0.5, 0),
                        "ct:y", floats(new int[] {1, 1, 1, 1}, 1)));
        assertThat(found.get("x_grad").reals()).containsExactly(0.375, 0.125, 0.375, 0.125);
        assertThat(found.get("grid_grad").reals()).containsExactly(1.25, 1.875);
    }

    @Test
    void ofNoImage() throws Exception {
        Map<String, NdArray> found = OnnxRuntime.run(
                Exporter.write(GRADIENTS),
                Map.of(
                        "x", floats(new int[] {0, 1, 2, 2}),
                        "grid", floats(new int[] {0, 1, 1, 2}),
                        "ct:y", floats(new int[] {0, 1, 1, 1})));
        assertThat(found.get("x_grad").dims()).containsExactly(0, 1, 2, 2);
        assertThat(found.get("grid_grad").dims()).containsExactly(0, 1, 1, 2);
    }
}
