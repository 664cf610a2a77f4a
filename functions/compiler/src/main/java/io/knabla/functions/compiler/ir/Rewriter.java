package io.knabla.functions.compiler.ir;

import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rewrites a graph by replacing values or operations. It keeps operations without replaced operands, therefore
 * unchanged parts of a graph cost no memory.
 */
public final class Rewriter {
    /** Rewrites one operation whose operands are already rewritten. */
    @FunctionalInterface
    public interface Rule {
        /** Returns the values that replace the operation's outputs, or empty to keep it. */
        Optional<List<Value>> rewrite(Ops code, Op op);

        Rule NONE = (_, _) -> Optional.empty();
    }

    private final Builder builder;
    private final Rule rule;
    private final Map<Value, Value> replaced = new HashMap<>();

    private Rewriter(Builder builder, Rule rule) {
        this.builder = builder;
        this.rule = rule;
    }

    /** Replaces values everywhere in the graph. */
    public static Dag substitute(Dag dag, Map<Value, Value> replacements) {
        return new Rewriter(dag.builder(), Rule.NONE).rewrite(dag, replacements);
    }

    /** Applies the rule to every operation once, from the inputs on. */
    public static Dag apply(Dag dag, Rule rule) {
        return new Rewriter(dag.builder(), rule).rewrite(dag, Map.of());
    }

    /** Replaces values in the operations that the given values depend on. */
    public static List<Value> substitute(Builder builder, List<Value> values, Map<Value, Value> replacements) {
        var rewriter = new Rewriter(builder, Rule.NONE);
        rewriter.replaced.putAll(replacements);
        rewriter.ops(Reachability.ops(values, builder.current()));
        return values.stream().map(rewriter::replacement).toList();
    }

    /** Copies one operation, including its bodies, and replaces operands. */
    public static Op copy(Builder builder, Op op, Map<Value, Value> replacements) {
        var rewriter = new Rewriter(builder, Rule.NONE);
        rewriter.replaced.putAll(replacements);
        return rewriter.copy(op);
    }

    /**
     * Copies the operations of a body into the current graph, with arguments in place of its parameters, and returns
     * its outputs.
     */
    public static List<Value> inline(Builder builder, Body body, List<Value> arguments) {
        var rewriter = new Rewriter(builder, Rule.NONE);
        for (int i = 0; i < arguments.size(); i++) {
            rewriter.replaced.put(body.parameters().get(i), arguments.get(i));
        }
        return builder.withoutOuterReuse(() -> {
            rewriter.copies(Reachability.ops(body.outputs(), body.scope()));
            return body.outputs().stream().map(rewriter::replacement).toList();
        });
    }

    private Dag rewrite(Dag dag, Map<Value, Value> replacements) {
        replaced.putAll(replacements);
        ops(Reachability.ops(dag.outputs().values(), builder.root()));
        var outputs = new LinkedHashMap<String, Value>();
        dag.outputs().forEach((name, value) -> outputs.put(name, replacement(value)));
        return dag.withOutputs(outputs);
    }

    private void ops(List<Op> ops) {
        for (Op op : ops) {
            Op copy = touched(op) ? copy(op) : op;
            List<Value> results = rule.rewrite(new Ops(builder), copy).orElse(copy.outputs());
            record(op, results);
        }
    }

    private void copies(List<Op> ops) {
        ops.forEach(op -> record(op, copy(op).outputs()));
    }

    private void record(Op op, List<Value> results) {
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) != op.outputs().get(i)) {
                replaced.put(op.outputs().get(i), results.get(i));
            }
        }
    }

    private Value replacement(Value value) {
        return value == null ? null : replaced.getOrDefault(value, value);
    }

    private boolean touched(Op op) {
        return op.operands().stream().anyMatch(v -> v != null && replaced.containsKey(v));
    }

    private Op copy(Op op) {
        var bodies = new LinkedHashMap<String, Body>();
        op.bodies().forEach((name, body) -> bodies.put(name, copy(body)));
        List<Value> inputs = new ArrayList<>();
        op.inputs().forEach(v -> inputs.add(replacement(v)));
        var spec = new Op.Spec(op.name(), op.domain(), op.type(), op.attributes(), inputs, bodies);
        var names = op.outputs().stream().map(Value::name).toList();
        // Only the creator of a control-flow operation knows its output types; others are inferred again.
        List<TensorType> stated = bodies.isEmpty()
                ? List.of()
                : op.outputs().stream().map(Value::type).toList();
        return builder.op(spec, op.outputs().size(), names, stated);
    }

    private Body copy(Body body) {
        var types = body.parameters().stream().map(Value::type).toList();
        return builder.body(types, given -> {
            for (int i = 0; i < given.size(); i++) {
                replaced.put(body.parameters().get(i), given.get(i));
            }
            copies(Reachability.ops(body.outputs(), body.scope()));
            return body.outputs().stream().map(this::replacement).toList();
        });
    }
}
