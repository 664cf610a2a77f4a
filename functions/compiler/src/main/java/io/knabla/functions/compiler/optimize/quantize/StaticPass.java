package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Inserts pairs of QuantizeLinear and DequantizeLinear (QDQ) at weights and activations, which ONNX Runtime fuses into
 * integer operators.
 */
final class StaticPass extends QuantizationPass {
    private final Map<String, Range> ranges;
    private final QuantizedActivations demand;
    private final Map<Value, Value> pairs = new HashMap<>();

    StaticPass(Dag dag, Quantization.Static quantization) {
        super(dag, quantization.options());
        this.ranges = quantization.ranges();
        this.demand = QuantizedActivations.find(dag, quantization.options());
        demand.origins().forEach(this::range);
    }

    private Range range(Value value) {
        Range range = ranges.get(QuantizedActivations.valueName(demand.origin(value)));
        if (range == null) {
            throw new IllegalArgumentException(
                    "no range for %s; calibrate this very model with the same options".formatted(demand.origin(value)));
        }
        return range;
    }

    /** Quantises and dequantises a value. */
    private Value rounded(Value value) {
        return pairs.computeIfAbsent(value, v -> {
            Range range = range(v);
            Value scale = code.scalar(ElementType.FLOAT, range.scale());
            Value zero = code.scalar(ElementType.UINT8, range.zeroPoint());
            Value integers = code.op("QuantizeLinear", replacement(v), scale, zero);
            return code.op("DequantizeLinear", integers, scale, zero);
        });
    }

    @Override
    Value quantized(Op op, WeightCandidate.Fit fit) {
        QuantizedWeight weight = quantizeWeight(op, fit);
        if (op.is("Gather")) {
            return lookUpRows(op, weight);
        }
        var inputs = new ArrayList<Value>();
        inputs.add(rounded(op.input(0)));
        inputs.add(code.op(
                "DequantizeLinear",
                Attributes.of("axis", fit.channels()),
                constant(weight.values()),
                constant(weight.scales()),
                constant(weight.zeroPoints())));
        if (op.has(2)) {
            inputs.add(bias(op, weight));
        }
        return copied(op, inputs).getFirst();
    }

    private Value bias(Op op, QuantizedWeight weight) {
        Value bias = op.input(2);
        boolean fits = bias.constant().isPresent()
                && bias.sizes()
                        .filter(List.of((long) weight.scale().length)::equals)
                        .isPresent();
        if (!fits) {
            return replacement(bias);
        }
        double scale = range(op.input(0)).scale();
        return code.op(
                "DequantizeLinear",
                Attributes.of("axis", 0),
                constant(weight.bias(NdArray.of(bias.constant().orElseThrow()), scale)),
                constant(weight.biasScales(scale)));
    }

    /** Operations between quantised values run on integers, too. */
    @Override
    List<Value> other(Op op) {
        boolean within = !op.inputs().isEmpty()
                && demand.values().contains(op.output())
                && op.presentInputs().stream().filter(Value::isFloat).allMatch(demand.values()::contains);
        if (!within || !op.bodies().isEmpty()) {
            return super.other(op);
        }
        var inputs = new ArrayList<Value>();
        for (Value input : op.inputs()) {
            boolean rounds = input != null && input.isFloat();
            inputs.add(rounds ? rounded(input) : input == null ? null : replacement(input));
        }
        return copied(op, inputs);
    }
}
