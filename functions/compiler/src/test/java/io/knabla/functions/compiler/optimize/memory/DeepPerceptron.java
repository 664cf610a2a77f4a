package io.knabla.functions.compiler.optimize.memory;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A deep perceptron of equal layers with its derivatives written by hand. */
final class DeepPerceptron {
    static final int ROWS = 256;
    static final int WIDTH = 32;

    private final Builder builder = new Builder(20);
    private final Ops code = new Ops(builder);
    private final Map<String, Value> inputs = new LinkedHashMap<>();
    private final Map<String, Value> outputs = new LinkedHashMap<>();
    final Dag dag;

    DeepPerceptron(int layers) {
        var weights = new ArrayList<Value>();
        var values = new ArrayList<Value>(List.of(input("x", ROWS, WIDTH)));
        for (int i = 0; i < layers; i++) {
            weights.add(input("w" + i, WIDTH, WIDTH));
            values.add(code.op("Tanh", code.matmul(values.getLast(), weights.getLast())));
        }
        outputs.put("loss", code.sumAll(code.square(values.getLast())));
        Value dy = code.mul(values.getLast(), 2);
        for (int i = layers - 1; i >= 0; i--) {
            Value y = values.get(i + 1);
            Value slope = code.sub(code.scalar(y, 1), code.square(y));
            Value d = code.mul(dy, slope);
            outputs.put("w" + i + "_grad", code.matmul(code.transposed(values.get(i)), d));
            dy = code.matmul(d, code.transposed(weights.get(i)));
        }
        dag = new Dag(builder, inputs, outputs, Map.of(), Map.of());
    }

    private Value input(String name, long... dims) {
        Value value = builder.input(name, TensorType.of(ElementType.FLOAT, Shape.of(dims)));
        inputs.put(name, value);
        return value;
    }

    List<Value> forward() {
        return List.of(outputs.get("loss"));
    }

    Map<String, NdArray> feeds() {
        var random = new Random(7);
        var feeds = new LinkedHashMap<String, NdArray>();
        inputs.forEach((name, value) -> {
            int[] dims = value.sizes().orElseThrow().stream()
                    .mapToInt(Long::intValue)
                    .toArray();
            double[] numbers = random.doubles(java.util.Arrays.stream(dims).reduce(1, (a, b) -> a * b))
                    .map(u -> (u - 0.5) * 0.6)
                    .toArray();
            feeds.put(name, NdArray.floats(dims, numbers));
        });
        return feeds;
    }
}
