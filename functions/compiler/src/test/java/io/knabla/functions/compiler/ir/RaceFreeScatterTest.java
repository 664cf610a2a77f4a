package io.knabla.functions.compiler.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ScatterND additions of many rows to few indices, which makes rows share an index. */
class RaceFreeScatterTest {
    private static final int PLACES = 7;

    @ParameterizedTest
    @CsvSource({"10,5,false", "300,300,false", "2500,40,false", "300,300,true", "40000,2,false"})
    void sumsRowsOfEqualIndex(int rows, int width, boolean open) throws OrtException {
        var random = new Random(3);
        long[] indices = random.longs(rows, -PLACES, PLACES).toArray();
        double[] updates = random.doubles((long) rows * width).toArray();
        var builder = new Builder(20);
        Dim count = open ? new Dim.Symbol("rows") : Dim.of(rows);
        Value index = input(builder, "i", ElementType.INT64, count, Dim.ONE);
        Value update = input(builder, "u", ElementType.FLOAT, count, Dim.of(width));
        var code = new Ops(builder);
        Value data = code.fill(code.ints(PLACES, width), ElementType.FLOAT, 1);
        Value sums = code.scatterNdAdd(data, index, update);
        var dag = new Dag(builder, Map.of("i", index, "u", update), Map.of("y", sums), Map.of(), Map.of());

        NdArray found = OnnxRuntime.run(
                        Exporter.write(dag),
                        Map.of(
                                "i",
                                NdArray.whole(ElementType.INT64, new int[] {rows, 1}, indices),
                                "u",
                                NdArray.floats(new int[] {rows, width}, updates)))
                .get("y");

        double[] expected = new double[PLACES * width];
        java.util.Arrays.fill(expected, 1);
        for (int i = 0; i < updates.length; i++) {
            int row = Math.floorMod(indices[i / width], PLACES);
            expected[row * width + i % width] += updates[i];
        }
        assertThat(found.reals()).containsExactly(expected, within(rows * 1e-4));
    }

    private static Value input(Builder builder, String name, ElementType type, Dim... dims) {
        return builder.input(name, TensorType.of(type, new Shape(List.of(dims))));
    }
}
