package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Derivative rules of If, Scan and Loop: the backward pass runs the bodies again and differentiates them. */
final class ControlFlow {
    private static final String THEN = "then_branch";
    private static final String ELSE = "else_branch";

    private ControlFlow() {}

    static void register(Map<String, Rule> table) {
        table.put("If", ControlFlow::branches);
        table.put("Scan", (at, op, dy) -> new IterationAdjoint(at, new IterationOp.ScanOp(op), dy).adjoints());
        table.put("Loop", (at, op, dy) -> new IterationAdjoint(at, new IterationOp.LoopOp(op), dy).adjoints());
    }

    /** Emits an If whose branches compute the adjoints of all captures that either branch uses. */
    private static List<Value> branches(RuleContext at, Op op, List<Value> dy) {
        List<Value> wanted = activeCaptures(at, op);
        op.bodies().values().forEach(ControlFlow::requireDeterministic);
        var reached = new boolean[wanted.size()];
        var bodies = new LinkedHashMap<String, Body>();
        for (String name : List.of(THEN, ELSE)) {
            bodies.put(name, branch(at, op.body(name), dy, wanted, reached));
        }
        var kept = new ArrayList<Value>();
        for (int i = 0; i < reached.length; i++) {
            if (reached[i]) {
                kept.add(wanted.get(i));
            }
        }
        if (kept.isEmpty()) {
            return List.of();
        }
        bodies.replaceAll((_, body) -> trimmed(body, reached));
        var spec = new Op.Spec("", "", "If", Attributes.NONE, List.of(op.input(0)), bodies);
        List<Value> made = at.builder()
                .op(spec, kept.size(), List.of(), kept.stream().map(Value::type).toList())
                .outputs();
        return ofCaptures(op, kept, made);
    }

    private static Body branch(RuleContext at, Body body, List<Value> dy, List<Value> wanted, boolean[] reached) {
        return at.builder().body(List.of(), _ -> {
            List<Value> results = Rewriter.inline(at.builder(), body, List.of());
            Map<Value, Value> found = adjoints(at, results, dy, wanted);
            var outputs = new ArrayList<Value>();
            for (int i = 0; i < wanted.size(); i++) {
                Value capture = wanted.get(i);
                reached[i] |= found.containsKey(capture);
                outputs.add(found.containsKey(capture) ? found.get(capture) : at.zeros(capture));
            }
            return outputs;
        });
    }

    private static Body trimmed(Body body, boolean[] kept) {
        var outputs = new ArrayList<Value>();
        for (int i = 0; i < kept.length; i++) {
            if (kept[i]) {
                outputs.add(body.outputs().get(i));
            }
        }
        return new Body(body.scope(), body.parameters(), outputs);
    }

    /** Captures of the bodies whose adjoints are needed. */
    static List<Value> activeCaptures(RuleContext at, Op op) {
        return op.captures().stream()
                .filter(v -> v.isFloat() && at.active().test(v))
                .toList();
    }

    /** Places adjoints at the positions of the operation's captures. */
    static List<Value> ofCaptures(Op op, List<Value> captures, List<Value> adjoints) {
        List<Value> operands = op.operands();
        var all = new ArrayList<Value>(Collections.nCopies(operands.size(), null));
        for (int i = op.inputs().size(); i < operands.size(); i++) {
            int at = captures.indexOf(operands.get(i));
            all.set(i, at < 0 ? null : adjoints.get(at));
        }
        return all;
    }

    /** Adjoints by way of results that were emitted in the builder's current scope. */
    static Map<Value, Value> adjoints(RuleContext at, List<Value> results, List<Value> dy, Collection<Value> wrt) {
        var seeds = new LinkedHashMap<Value, Value>();
        for (int i = 0; i < results.size(); i++) {
            if (dy.get(i) != null && results.get(i).isFloat()) {
                seeds.merge(results.get(i), dy.get(i), at::add);
            }
        }
        return at.sweep().adjoints(at.builder().current(), seeds, wrt);
    }

    /** Refuses a body that is random: a second run would give other results. */
    static void requireDeterministic(Body body) {
        for (Op op : Reachability.ops(body.outputs(), body.scope())) {
            if (op.type().startsWith("Random") || op.is("Bernoulli") || op.is("Multinomial") || op.is("Dropout")) {
                throw new UnsupportedOperatorException("it draws random numbers in its body ("
                        + op
                        + "), which has to run again for the derivative; draw them outside of it");
            }
        }
    }
}
