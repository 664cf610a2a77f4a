package io.knabla.functions.compiler.autodiff;

import io.knabla.functions.compiler.autodiff.loss.LossGraph;
import io.knabla.functions.compiler.autodiff.loss.Losses;
import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.RuleTable;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds the graphs of a gradient function: value and gradient, HVP, VJP, JVP, and the perturbed loss. */
final class GradientGraphs {
    private static final String OBJECTIVE = "knabla.objective";

    private final Dag model;
    private final LossGraph attached;

    private final RuleTable rules;

    GradientGraphs(Dag model, LossGraph attached, RuleTable rules) {
        this.model = model;
        this.attached = attached;
        this.rules = rules;
    }

    /** Outputs: the loss, the gradients, then the model's own outputs. */
    Dag main(List<GradientTarget> targets, UnreachablePolicy unreachable) {
        var outputs = new LinkedHashMap<>(attached.dag().outputs());
        outputs.put(OBJECTIVE, attached.objective());
        Dag found = Transforms.valueAndGradient(
                attached.dag().withOutputs(outputs), OBJECTIVE, targets, unreachable, rules);
        var ordered = new LinkedHashMap<String, Value>();
        ordered.put(Losses.LOSS, found.outputs().get(Losses.LOSS));
        ordered.putAll(found.outputs());
        ordered.remove(OBJECTIVE);
        return found.withOutputs(ordered);
    }

    /** Hessian-vector product of the scalar with the tangents; the first output is the loss. */
    Dag hvp(List<GradientTarget> targets) {
        var outputs = new LinkedHashMap<>(attached.dag().outputs());
        outputs.put(OBJECTIVE, attached.objective());
        Dag found = Transforms.hvp(attached.dag().withOutputs(outputs), OBJECTIVE, targets, rules);
        var kept = new LinkedHashMap<>(found.outputs());
        kept.remove(OBJECTIVE);
        return found.withOutputs(kept);
    }

    /** Evaluates the objective at value + eps · direction, for finite-difference checks. */
    Dag perturbed(List<GradientTarget> targets) {
        Ops code = model.code();
        var scalar = TensorType.of(ElementType.FLOAT, Shape.SCALAR);
        Value eps = model.builder().input("eps", scalar);
        var inputs = new LinkedHashMap<>(attached.dag().inputs());
        inputs.put("eps", eps);
        var moved = new LinkedHashMap<Value, Value>();
        for (GradientTarget target : targets) {
            Value value = target.value();
            Value direction = model.builder().input("dir:" + target.name(), value.type());
            inputs.put("dir:" + target.name(), direction);
            moved.put(value, code.add(value, code.mul(direction, code.castLike(eps, value))));
        }
        return Rewriter.substitute(
                attached.dag().withInputs(inputs).withOutputs(Map.of(Losses.LOSS, attached.objective())), moved);
    }

    /** VJP of all floating-point outputs with respect to all floating-point inputs; empty if either is missing. */
    Optional<Dag> vjp() {
        List<GradientTarget> targets = inputs();
        List<String> outputs = outputs();
        return targets.isEmpty() || outputs.isEmpty()
                ? Optional.empty()
                : Optional.of(Transforms.vjp(model, outputs, targets, UnreachablePolicy.ZERO, rules));
    }

    Optional<Dag> jvp() {
        List<GradientTarget> targets = inputs();
        List<String> outputs = outputs();
        return targets.isEmpty() || outputs.isEmpty()
                ? Optional.empty()
                : Optional.of(Transforms.jvp(model, outputs, targets, rules));
    }

    private List<GradientTarget> inputs() {
        return model.inputs().entrySet().stream()
                .filter(e -> e.getValue().isFloat())
                .map(e -> new GradientTarget(e.getKey(), e.getValue()))
                .toList();
    }

    private List<String> outputs() {
        return model.outputs().entrySet().stream()
                .filter(e -> e.getValue().isFloat())
                .map(Map.Entry::getKey)
                .toList();
    }
}
