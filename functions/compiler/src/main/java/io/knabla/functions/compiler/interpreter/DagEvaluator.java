package io.knabla.functions.compiler.interpreter;

import ai.onnx.proto.OnnxMl.AttributeProto;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Interprets whole graphs operator by operator, including If, Loop and Scan. */
public final class DagEvaluator {
    private final boolean wide;
    private final Map<Body, List<Op>> bodies = new HashMap<>();

    private DagEvaluator(boolean wide) {
        this.wide = wide;
    }

    /**
     * Returns all outputs by name, in order.
     *
     * @throws EvaluationException for a missing input or an operator that {@link Evaluator} does not support
     */
    public static Map<String, NdArray> run(Dag dag, Map<String, NdArray> inputs) {
        return new DagEvaluator(false).outputs(dag, inputs);
    }

    /**
     * Likewise in double precision: every FLOAT of inputs, constants and casts becomes a DOUBLE. Reference for
     * gradients, where single precision hides errors.
     */
    public static Map<String, NdArray> runInDouble(Dag dag, Map<String, NdArray> inputs) {
        return new DagEvaluator(true).outputs(dag, inputs);
    }

    /** Values of one graph in one run; look-ups fall back to the enclosing graphs. */
    private static final class Frame {
        private final Map<Value, NdArray> values = new HashMap<>();
        private final Frame outer;

        Frame(Frame outer) {
            this.outer = outer;
        }

        NdArray find(Value value) {
            NdArray found = values.get(value);
            return found != null || outer == null ? found : outer.find(value);
        }
    }

    private Map<String, NdArray> outputs(Dag dag, Map<String, NdArray> inputs) {
        var frame = new Frame(null);
        dag.inputs().forEach((name, value) -> {
            if (inputs.get(name) == null) {
                throw new EvaluationException("input '" + name + "' is missing");
            }
            frame.values.put(value, widened(inputs.get(name)));
        });
        run(Reachability.ops(dag.outputs().values(), dag.builder().root()), frame);
        var outputs = new LinkedHashMap<String, NdArray>();
        dag.outputs().forEach((name, value) -> outputs.put(name, read(value, frame)));
        return outputs;
    }

    private NdArray widened(NdArray array) {
        return wide && array.element() == ElementType.FLOAT
                ? NdArray.reals(ElementType.DOUBLE, array.dims(), array.reals())
                : array;
    }

    private NdArray read(Value value, Frame frame) {
        NdArray found = frame.find(value);
        if (found != null) {
            return found;
        }
        NdArray constant = value.constant()
                .map(tensor -> widened(NdArray.of(tensor)))
                .orElseThrow(() -> new EvaluationException(value + " has no value"));
        Frame outermost = frame;
        while (outermost.outer != null) {
            outermost = outermost.outer;
        }
        outermost.values.put(value, constant);
        return constant;
    }

    private void run(Collection<Op> ops, Frame frame) {
        for (Op op : ops) {
            List<NdArray> results = widened(results(op, frame));
            for (int i = 0; i < Math.min(results.size(), op.outputs().size()); i++) {
                frame.values.put(op.output(i), results.get(i));
            }
        }
    }

    private List<NdArray> widened(List<NdArray> results) {
        return wide ? results.stream().map(this::widened).toList() : results;
    }

    private List<NdArray> results(Op op, Frame frame) {
        var inputs = new ArrayList<NdArray>();
        op.inputs().forEach(input -> inputs.add(input == null ? null : read(input, frame)));
        if (op.is("If")) {
            boolean holds = inputs.getFirst().truth(0);
            return body(op.body(holds ? "then_branch" : "else_branch"), List.of(), frame);
        }
        if (op.is("Loop")) {
            return Loops.loop(op, inputs, given -> body(op.body("body"), given, frame));
        }
        if (op.is("Scan")) {
            return Loops.scan(op, inputs, given -> body(op.body("body"), given, frame));
        }
        if (!op.domain().isEmpty()) {
            throw new EvaluationException(op + " is not an operator of ONNX's own");
        }
        return Evaluator.evaluate(op.type(), attributes(op), inputs)
                .orElseThrow(() -> new EvaluationException(op + " is not evaluated"));
    }

    private List<NdArray> body(Body body, List<NdArray> given, Frame outer) {
        var frame = new Frame(outer);
        for (int i = 0; i < given.size(); i++) {
            frame.values.put(body.parameters().get(i), given.get(i));
        }
        run(bodies.computeIfAbsent(body, b -> Reachability.ops(b.outputs(), b.scope())), frame);
        return body.outputs().stream().map(output -> read(output, frame)).toList();
    }

    /** In double precision, replaces FLOAT by DOUBLE in attributes that select a type. */
    private Map<String, AttributeProto> attributes(Op op) {
        Map<String, AttributeProto> stated = op.attributes().values();
        if (!wide) {
            return stated;
        }
        var changed = new HashMap<>(stated);
        for (String type : List.of("to", "dtype", "output_datatype")) {
            changed.computeIfPresent(
                    type,
                    (_, attribute) -> attribute.getI() == ElementType.FLOAT.number()
                            ? number(type, ElementType.DOUBLE)
                            : attribute);
        }
        if (op.is("LayerNormalization")) {
            changed.put("stash_type", number("stash_type", ElementType.DOUBLE));
        }
        return changed;
    }

    private static AttributeProto number(String name, ElementType element) {
        return AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeProto.AttributeType.INT)
                .setI(element.number())
                .build();
    }
}
