package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Quantises weights at compile time and activations at each call. */
final class DynamicPass extends QuantizationPass {
    DynamicPass(Dag dag, Quantization.Options options) {
        super(dag, options);
    }

    @Override
    Value quantized(Op op, WeightCandidate.Fit fit) {
        QuantizedWeight weight = quantizeWeight(op, fit);
        return switch (op.type()) {
            case "Gather" -> lookUpRows(op, weight);
            case "Conv" -> convolution(op, weight);
            default -> product(op, fit, weight);
        };
    }

    /** Emits nodes in the order that ONNX Runtime fuses into one. */
    private Value product(Op op, WeightCandidate.Fit fit, QuantizedWeight weight) {
        Value values = constant(weight.values());
        Value b = fit.channels() == 0 ? transposed(values) : values;
        var spec = Op.Spec.of("DynamicQuantizeLinear", Attributes.NONE, List.of(replacement(op.input(0))));
        List<Value> x = code.builder().op(spec, 3).outputs();
        Value sums = code.op("MatMulInteger", x.get(0), b, x.get(2));
        Value scale = code.op("Mul", x.get(1), constant(weight.scales()));
        Value y = code.op("Mul", code.cast(sums, ElementType.FLOAT), scale);
        return op.is("Gemm") && op.has(2) ? code.add(y, replacement(op.input(2))) : y;
    }

    /** Transposes a constant at compile time. */
    private Value transposed(Value values) {
        var matrix = io.knabla.functions.compiler.interpreter.NdArray.of(
                values.constant().orElseThrow());
        int rows = matrix.dim(0);
        int columns = matrix.dim(1);
        return constant(matrix.pick(new int[] {columns, rows}, i -> i % rows * columns + i / rows)
                .toProto(""));
    }

    private Value convolution(Op op, QuantizedWeight weight) {
        long[] along = new long[op.input(1).rank()];
        Arrays.fill(along, 1);
        along[0] = -1;
        // Not DequantizeLinear: the engine runs it at each call, but folds these operations once.
        Value floats = code.op(
                "Mul",
                code.cast(constant(weight.values()), ElementType.FLOAT),
                code.reshape(constant(weight.scales()), along));
        var inputs = new ArrayList<Value>();
        op.inputs().forEach(v -> inputs.add(v == null ? null : replacement(v)));
        inputs.set(1, floats);
        return copied(op, inputs).getFirst();
    }
}
