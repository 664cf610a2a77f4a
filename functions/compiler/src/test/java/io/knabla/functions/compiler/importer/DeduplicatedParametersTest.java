package io.knabla.functions.compiler.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import org.junit.jupiter.api.Test;

/** Restores parameters that an exporter deduplicated; tied weights stay tied. */
class DeduplicatedParametersTest {

    @Test
    void separatesEqualBiases() {
        Dag dag = read(NdArray.floats(new int[] {3}, 0, 0, 0));

        assertThat(dag.initializers()).containsOnlyKeys("fc1.bias", "fc2.bias");
        assertThat(dag.outputs().get("y").producer().orElseThrow().input(1))
                .isSameAs(dag.initializers().get("fc2.bias"))
                .isNotSameAs(dag.initializers().get("fc1.bias"));
    }

    @Test
    void keepsTiedWeights() {
        Dag dag = read(NdArray.floats(new int[] {3}, 1, 2, 3));

        assertThat(dag.initializers()).containsOnlyKeys("fc1.bias");
    }

    private static Dag read(NdArray bias) {
        var model = new Onnx()
                .input("x", ElementType.FLOAT, 2, 3)
                .output("y", ElementType.FLOAT, 2, 3)
                .initializer(bias.toProto("fc1.bias"))
                .node("Identity", java.util.List.of("fc1.bias"), "fc2.bias")
                .node("Add", java.util.List.of("x", "fc1.bias"), "h")
                .node("Add", java.util.List.of("h", "fc2.bias"), "y")
                .build();
        return switch (Importer.read(Model.of(model))) {
            case Importer.ImportResult.Success(var dag) -> dag;
            case Importer.ImportResult.Refused(var problems) -> throw new AssertionError(problems.toString());
        };
    }
}
