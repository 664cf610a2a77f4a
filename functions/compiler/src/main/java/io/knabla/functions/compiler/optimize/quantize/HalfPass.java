package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns a float32 graph to half precision where that is safe. Inputs and outputs stay float32; a value is converted
 * once, where the first operation of the other precision reads it. Bodies stay unchanged.
 */
public final class HalfPass {
    private final Dag dag;
    private final Ops code;
    private final HalfOperators operators;
    private final Map<Value, Value> halves = new HashMap<>();
    private final Map<Value, Value> others = new HashMap<>();
    private int half;
    private int kept;
    private int clamped;

    private HalfPass(Dag dag) {
        this.dag = dag;
        this.code = dag.code();
        this.operators = new HalfOperators(dag.opset());
    }

    /**
     * A graph in half precision.
     *
     * @param half number of operations in half precision
     * @param kept number of operations on float32 numbers that stay as they are
     * @param clamped number of elements of constants that half floats cannot represent
     */
    public record Result(Dag dag, int half, int kept, int clamped) {}

    /** @throws IllegalArgumentException if a constant holds NaN */
    public static Result of(Dag dag) {
        return new HalfPass(dag).run();
    }

    private Result run() {
        for (Op op : Reachability.ops(dag.outputs().values(), dag.builder().root())) {
            if (operators.runsInHalf(op)) {
                half++;
                record(op, copied(op, op.inputs().stream().map(this::half).toList()));
            } else {
                kept += op.presentInputs().stream().anyMatch(HalfOperators::isFloat) ? 1 : 0;
                record(op, kept(op));
            }
        }
        var outputs = new LinkedHashMap<String, Value>();
        dag.outputs().forEach((name, value) -> outputs.put(name, full(value)));
        return new Result(dag.withOutputs(outputs), half, kept, clamped);
    }

    private void record(Op op, List<Value> made) {
        for (int i = 0; i < made.size(); i++) {
            Value before = op.output(i);
            boolean halved = HalfOperators.isFloat(before) && made.get(i).element() == ElementType.FLOAT16;
            (halved ? halves : others).put(before, made.get(i));
        }
    }

    /** The value for an operation in half precision. */
    private Value half(Value value) {
        if (value == null || !HalfOperators.isFloat(value)) {
            return value == null ? null : others.getOrDefault(value, value);
        }
        return halves.computeIfAbsent(value, this::halved);
    }

    private Value halved(Value value) {
        if (value.constant().isEmpty()) {
            return code.cast(others.getOrDefault(value, value), ElementType.FLOAT16);
        }
        HalfConstant constant =
                HalfConstant.of(value.name(), NdArray.of(value.constant().get()));
        clamped += constant.clamped();
        return code.builder().constant(constant.tensor());
    }

    /** The value for any other operation. */
    private Value full(Value value) {
        Value there = others.get(value);
        if (there != null || !halves.containsKey(value) || value.constant().isPresent()) {
            return there == null ? value : there;
        }
        if (value.producer().isEmpty()) {
            return value;
        }
        Value cast = code.cast(halves.get(value), ElementType.FLOAT);
        others.put(value, cast);
        return cast;
    }

    private List<Value> kept(Op op) {
        var replaced = new HashMap<Value, Value>();
        for (Value operand : op.operands()) {
            if (operand != null && full(operand) != operand) {
                replaced.put(operand, full(operand));
            }
        }
        return replaced.isEmpty()
                ? op.outputs()
                : Rewriter.copy(code.builder(), op, replaced).outputs();
    }

    private List<Value> copied(Op op, List<Value> inputs) {
        var spec =
                new Op.Spec(op.name(), op.domain(), op.type(), op.attributes(), new ArrayList<>(inputs), op.bodies());
        return code.builder().op(spec, op.outputs().size()).outputs();
    }
}
