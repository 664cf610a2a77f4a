package io.knabla.functions.compiler.optimize.memory;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Emits barriers: operations that delay a value until others are computed, and that no optimiser can remove. A delayed
 * value is reshaped to its own shape plus a zero that the engine computes from the others. No byte is moved, and no
 * optimiser can prove that the value is unchanged: operations on it are neither merged nor moved earlier.
 */
final class OptimizationBarriers {
    private final Ops code;
    private final Consumer<Op> made;
    private final Map<Integer, Value> keys = new HashMap<>();
    private final Map<Integer, Map<Value, Value>> passed = new HashMap<>();

    /** @param made receives every emitted operation, in order */
    OptimizationBarriers(Ops code, Consumer<Op> made) {
        this.code = code;
        this.made = made;
    }

    /** Creates a barrier that opens when all of these are computed; the engine starts with the last one requested. */
    void create(int gate, List<Value> after) {
        List<Value> zeros = new ArrayList<>();
        zeros.add(code.integer(0));
        after.reversed().forEach(value -> zeros.add(op("Size", value)));
        Value earlier = keys.get(gate + 1);
        if (earlier != null) {
            zeros.add(earlier);
        }
        if (zeros.size() > 1) {
            // No size is negative: the minimum is the zero.
            keys.put(gate, op("Min", zeros.toArray(Value[]::new)));
        }
    }

    boolean has(int gate) {
        return keys.containsKey(gate);
    }

    Value delay(int gate, Value value) {
        return passed.computeIfAbsent(gate, _ -> new HashMap<>()).computeIfAbsent(value, v -> gated(gate, v));
    }

    private Value gated(int gate, Value value) {
        if (value.shape().filter(s -> s.rank() == 0).isPresent()) {
            // A scalar has no dimension to add to.
            return scalar(gate, value);
        }
        Value shape = op("Add", noted(code.shapeOf(value)), keys.get(gate));
        return reshape(value, shape, value);
    }

    private Value scalar(int gate, Value value) {
        Value one = op("Add", code.ints(1), keys.get(gate));
        Value row = reshape(op("Unsqueeze", value, code.ints(0)), one, value);
        return op("Squeeze", row, code.ints(0));
    }

    private Value reshape(Value value, Value shape, Value like) {
        var type = new TensorType(
                like.element(),
                like.shape().filter(x -> x.rank() == 0).isPresent() ? Optional.of(Shape.of(1)) : like.shape());
        var spec = Op.Spec.of("Reshape", Attributes.of("allowzero", 1), List.of(value, shape));
        return noted(code.builder().op(spec, 1, List.of(), List.of(type)).output());
    }

    private Value op(String type, Value... inputs) {
        return noted(code.op(type, inputs));
    }

    private Value noted(Value value) {
        value.producer().ifPresent(made);
        return value;
    }
}
