package io.knabla.functions.compiler.autodiff.transform;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.reverse.GradientCut;
import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.NotDifferentiableException;
import io.knabla.functions.compiler.autodiff.reverse.RuleTable;
import io.knabla.functions.compiler.autodiff.reverse.Sweep;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.rules.StandardRules;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Graph transformations that compute derivatives: gradient, VJP, JVP, Hessian-vector product, Jacobian. Each is a pure
 * function from graph to graph, valid for any input of the graph's shapes, and throws
 * {@link NotDifferentiableException} with all faults.
 */
public final class Transforms {
    private Transforms() {}

    /**
     * Value and gradient. Outputs: the scalar under its name, {@code <name>_grad} for every target, in its shape, then
     * the graph's other outputs.
     */
    public static Dag valueAndGradient(
            Dag dag, String scalarOutput, List<GradientTarget> wrt, UnreachablePolicy unreachable) {
        return valueAndGradient(dag, scalarOutput, wrt, unreachable, StandardRules.TABLE);
    }

    /** The same by these rules. */
    public static Dag valueAndGradient(
            Dag dag, String scalarOutput, List<GradientTarget> wrt, UnreachablePolicy unreachable, RuleTable rules) {
        Value loss = scalar(dag, scalarOutput);
        Map<Value, Value> seeds = Map.of(loss, dag.code().full(loss, 1));
        var outputs = new LinkedHashMap<String, Value>();
        outputs.put(scalarOutput, loss);
        outputs.putAll(gradients(dag, seeds, wrt, unreachable, rules));
        dag.outputs().forEach(outputs::putIfAbsent);
        return dag.withOutputs(outputs);
    }

    /**
     * Vector-Jacobian product. Additional inputs: the cotangents {@code ct:<output>}, in the shapes of the outputs.
     * Outputs: {@code <name>_grad} for every target, then the graph's own.
     */
    public static Dag vjp(Dag dag, List<String> of, List<GradientTarget> wrt, UnreachablePolicy unreachable) {
        return vjp(dag, of, wrt, unreachable, StandardRules.TABLE);
    }

    /** The same by these rules. */
    public static Dag vjp(
            Dag dag, List<String> of, List<GradientTarget> wrt, UnreachablePolicy unreachable, RuleTable rules) {
        var inputs = new LinkedHashMap<>(dag.inputs());
        var seeds = new LinkedHashMap<Value, Value>();
        Ops code = dag.code();
        for (String name : of) {
            Value output = output(dag, name);
            Value cotangent = dag.builder().input("ct:" + name, output.type());
            inputs.put("ct:" + name, cotangent);
            seeds.merge(output, cotangent, code::add);
        }
        var outputs = new LinkedHashMap<>(gradients(dag, seeds, wrt, unreachable, rules));
        dag.outputs().forEach(outputs::putIfAbsent);
        return dag.withInputs(inputs).withOutputs(outputs);
    }

    /**
     * Jacobian-vector product, by the same reverse-mode rules: the vector-Jacobian product is linear in its cotangent,
     * and differentiating it with respect to the cotangent, seeded with the tangents, gives the Jacobian-vector product
     * (Townsend, "A new trick for calculating Jacobian vector products", 2017). Additional inputs: {@code tan:<name>}
     * for every target. Outputs: {@code jvp:<output>}, then the graph's own.
     */
    public static Dag jvp(Dag dag, List<String> of, List<GradientTarget> wrt) {
        return jvp(dag, of, wrt, StandardRules.TABLE);
    }

    /** The same by these rules. */
    public static Dag jvp(Dag dag, List<String> of, List<GradientTarget> wrt, RuleTable rules) {
        var cotangents = new LinkedHashMap<Value, Value>();
        for (String name : of) {
            Value output = output(dag, name);
            cotangents.put(output, dag.builder().input("", output.type()));
        }
        var targets = wrt.stream().map(GradientTarget::value).toList();
        Map<Value, Value> adjoints = sweep(dag, cotangents, targets, rules);
        var inputs = new LinkedHashMap<>(dag.inputs());
        var seeds = new LinkedHashMap<Value, Value>();
        for (GradientTarget target : wrt) {
            Value tangent =
                    dag.builder().input("tan:" + target.name(), target.value().type());
            inputs.put("tan:" + target.name(), tangent);
            if (adjoints.containsKey(target.value())) {
                seeds.merge(adjoints.get(target.value()), tangent, dag.code()::add);
            }
        }
        Map<Value, Value> tangents = sweep(dag, seeds, List.copyOf(cotangents.values()), rules);
        var outputs = new LinkedHashMap<String, Value>();
        for (String name : of) {
            Value output = dag.outputs().get(name);
            Value tangent = tangents.get(cotangents.get(output));
            outputs.put("jvp:" + name, tangent == null ? dag.code().zeros(output) : tangent);
        }
        dag.outputs().forEach(outputs::putIfAbsent);
        return closed(dag.withInputs(inputs).withOutputs(outputs), cotangents);
    }

    /** Only the shapes of the cotangents are still used; zeros in the shapes of the outputs replace them. */
    private static Dag closed(Dag dag, Map<Value, Value> cotangents) {
        var shapes = new LinkedHashMap<Value, Value>();
        cotangents.forEach(
                (output, cotangent) -> shapes.put(cotangent, dag.code().zeros(output)));
        return Rewriter.substitute(dag, shapes);
    }

    /**
     * Hessian-vector product. Additional inputs: {@code tan:<name>}. Outputs: {@code hvp:<name>}, the Hessian of the
     * scalar times the tangents.
     */
    public static Dag hvp(Dag dag, String scalarOutput, List<GradientTarget> wrt) {
        return hvp(dag, scalarOutput, wrt, StandardRules.TABLE);
    }

    /** The same by these rules. */
    public static Dag hvp(Dag dag, String scalarOutput, List<GradientTarget> wrt, RuleTable rules) {
        Value loss = scalar(dag, scalarOutput);
        var targets = wrt.stream().map(GradientTarget::value).toList();
        Map<Value, Value> first = sweep(dag, Map.of(loss, dag.code().full(loss, 1)), targets, rules);
        var inputs = new LinkedHashMap<>(dag.inputs());
        var seeds = new LinkedHashMap<Value, Value>();
        for (GradientTarget target : wrt) {
            Value tangent =
                    dag.builder().input("tan:" + target.name(), target.value().type());
            inputs.put("tan:" + target.name(), tangent);
            if (first.containsKey(target.value())) {
                seeds.merge(first.get(target.value()), tangent, dag.code()::add);
            }
        }
        Map<Value, Value> second = sweep(dag, seeds, targets, rules);
        var outputs = new LinkedHashMap<String, Value>();
        wrt.forEach(t -> outputs.put("hvp:" + t.name(), orZeros(dag, second, t)));
        dag.outputs().forEach(outputs::putIfAbsent);
        return dag.withInputs(inputs).withOutputs(outputs);
    }

    /**
     * Full Jacobian. Additional output: {@code jac:<output>:<target>}, in the shape of the output followed by that of
     * the target. A Scan computes one vector-Jacobian product per element of the output.
     */
    public static Dag jacobian(Dag dag, String of, GradientTarget wrt) {
        Value output = output(dag, of);
        Ops code = dag.code();
        Value size = code.reshape(code.op("Size", output), 1);
        Value identity = code.op("EyeLike", code.fill(code.concat(0, size, size), output.element(), 0));
        var row = new TensorType(output.element(), Optional.of(new Shape(List.of(Dim.UNKNOWN))));
        Body body = dag.builder().body(List.of(row), given -> List.of(jacobianRow(dag, output, wrt, given)));
        var scan = new Op.Spec(
                "", "", "Scan", Attributes.of("num_scan_inputs", 1), List.of(identity), Map.of("body", body));
        Value rows = dag.builder().op(scan, 1).output();
        Value shape = code.concat(0, code.shapeOf(output), code.shapeOf(wrt.value()));
        var outputs = new LinkedHashMap<String, Value>();
        outputs.put("jac:" + of + ":" + wrt.name(), code.reshape(rows, shape));
        dag.outputs().forEach(outputs::putIfAbsent);
        return dag.withOutputs(outputs);
    }

    private static Value jacobianRow(Dag dag, Value output, GradientTarget wrt, List<Value> given) {
        Value cotangent = dag.code().reshapeLike(given.getFirst(), output);
        Map<Value, Value> found = sweep(dag, Map.of(output, cotangent), List.of(wrt.value()), StandardRules.TABLE);
        return orZeros(dag, found, wrt);
    }

    private static Map<String, Value> gradients(
            Dag dag,
            Map<Value, Value> seeds,
            List<GradientTarget> wrt,
            UnreachablePolicy unreachable,
            RuleTable rules) {
        Map<Value, Value> found =
                sweep(dag, seeds, wrt.stream().map(GradientTarget::value).toList(), rules);
        var outputs = new LinkedHashMap<String, Value>();
        var problems = new ArrayList<Fault>();
        for (GradientTarget target : wrt) {
            if (!found.containsKey(target.value()) && unreachable == UnreachablePolicy.REFUSE) {
                problems.add(new Fault(
                        target.name(),
                        GradientCut.explain(
                                target.value(), seeds.keySet(), dag.builder().root(), rules)));
            }
            outputs.put(target.name() + "_grad", orZeros(dag, found, target));
        }
        refuse(problems);
        return outputs;
    }

    private static Value orZeros(Dag dag, Map<Value, Value> found, GradientTarget target) {
        Value adjoint = found.get(target.value());
        return adjoint == null ? dag.code().zeros(target.value()) : adjoint;
    }

    private static Map<Value, Value> sweep(Dag dag, Map<Value, Value> seeds, List<Value> wrt, RuleTable rules) {
        var sweep = new Sweep(dag.builder(), rules);
        Map<Value, Value> adjoints = sweep.adjoints(dag.builder().root(), seeds, wrt);
        refuse(sweep.problems());
        return adjoints;
    }

    private static void refuse(List<Fault> problems) {
        if (!problems.isEmpty()) {
            throw new NotDifferentiableException(problems);
        }
    }

    private static Value scalar(Dag dag, String name) {
        Value loss = output(dag, name);
        boolean one = loss.shape().isEmpty()
                || loss.knownShape().dims().stream().noneMatch(d -> d instanceof Dim.Known(var n) && n != 1);
        if (!one) {
            refuse(List.of(new Fault(
                    name,
                    "a gradient needs a scalar, and this has the shape "
                            + loss.knownShape()
                            + "; choose a loss function, or reduce it in the model")));
        }
        return loss;
    }

    private static Value output(Dag dag, String name) {
        Value output = dag.outputs().get(name);
        if (output == null) {
            refuse(List.of(new Fault(
                    name,
                    "is not an output of the model, which has " + dag.outputs().keySet())));
        } else if (!output.isFloat() && output.element() != ElementType.UNDEFINED) {
            refuse(List.of(
                    new Fault(name, "holds " + output.element() + "; only floating-point values have derivatives")));
        }
        return output;
    }
}
