package io.knabla.functions.compiler.optimize.quantize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.interpreter.DagEvaluator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HalfPassTest {
    private static final NdArray X = NdArray.floats(new int[] {1, 3}, 0.5, -1, 2);

    private static Dag dag(Onnx model) {
        ModelProto built = model.input("x", ElementType.FLOAT, 1, 3)
                .output("y", ElementType.FLOAT, 1, 3)
                .build();
        return ((ImportResult.Success) Importer.read(Model.of(built))).dag();
    }

    private static Onnx constant(String name, double... values) {
        return new Onnx()
                .initializer(
                        NdArray.floats(new int[] {1, values.length}, values).toProto(name));
    }

    private static List<ElementType> types(HalfPass.Result result, String type) {
        return result.dag().ops().stream()
                .filter(op -> op.is(type))
                .map(Op::output)
                .map(value -> value.element())
                .toList();
    }

    @Test
    void inputsAndOutputsStayFloat32() {
        HalfPass.Result half = HalfPass.of(dag(constant("w", 1, 2, 3).node("Mul", List.of("x", "w"), "y")));

        assertThat(types(half, "Mul")).containsExactly(ElementType.FLOAT16);
        assertThat(half.dag().inputs().get("x").element()).isEqualTo(ElementType.FLOAT);
        assertThat(half.dag().outputs().get("y").element()).isEqualTo(ElementType.FLOAT);
        assertThat(half.half()).isEqualTo(1);
    }

    @Test
    void exponentialsStayFloat32() {
        HalfPass.Result half =
                HalfPass.of(dag(new Onnx().node("Relu", List.of("x"), "a").node("Softmax", List.of("a"), "y")));

        assertThat(types(half, "Relu")).containsExactly(ElementType.FLOAT16);
        assertThat(types(half, "Softmax")).containsExactly(ElementType.FLOAT);
    }

    @Test
    void epsilonIsNotRounded() {
        HalfPass.Result half = HalfPass.of(dag(new Onnx()
                .initializer(NdArray.floats(new int[] {}, 1e-12).toProto("epsilon"))
                .node("Add", List.of("x", "epsilon"), "y")));

        assertThat(types(half, "Add")).containsExactly(ElementType.FLOAT);
    }

    /** Without the clamp, the mask were minus infinity and a row of nothing else NaN. */
    @Test
    void fullyMaskedRowStaysANumber() {
        Dag full = dag(constant("mask", -1e9, -1e9, -1e9)
                .node("Add", List.of("x", "mask"), "a")
                .node("Softmax", List.of("a"), "y"));
        HalfPass.Result half = HalfPass.of(full);

        NdArray y = DagEvaluator.run(half.dag(), Map.of("x", X)).get("y");

        assertThat(half.clamped()).isEqualTo(3);
        assertThat(Arrays.stream(y.reals())).allMatch(Double::isFinite);
    }

    @Test
    void errorNamesTheWorstSample() {
        Dag full = dag(constant("w", 1.0001, 1.0001, 1.0001).node("Mul", List.of("x", "w"), "y"));
        NdArray zero = NdArray.floats(new int[] {1, 3}, 0, 0, 0);

        HalfError error = HalfError.of(full, HalfPass.of(full).dag(), List.of(Map.of("x", zero), Map.of("x", X)));

        assertThat(error).isInstanceOfSatisfying(HalfError.Measured.class, measured -> {
            assertThat(measured.sample()).isEqualTo(1);
            assertThat(measured.output()).isEqualTo("y");
            assertThat(measured.relative()).isBetween(5e-5, 2e-4);
        });
    }

    @Test
    void overflowIsNoMeasurement() {
        Dag full = dag(constant("w", 1000, 1000, 1000)
                .node("Mul", List.of("x", "w"), "a")
                .node("Mul", List.of("a", "w"), "y"));

        assertThat(HalfError.of(full, HalfPass.of(full).dag(), List.of(Map.of("x", X))))
                .isEqualTo(new HalfError.NotFinite("y", 0));
    }

    @Test
    void constantThatIsNoNumberIsRefused() {
        Dag full = dag(constant("w", 1, Double.NaN, 1).node("Mul", List.of("x", "w"), "y"));

        assertThatThrownBy(() -> HalfPass.of(full))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'w' holds NaN");
    }
}
