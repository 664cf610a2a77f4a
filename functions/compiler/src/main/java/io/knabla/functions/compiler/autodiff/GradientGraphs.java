package io.knabla.functions.compiler.autodiff;

import io.knabla.functions.compiler.autodiff.loss.Attached;
import io.knabla.functions.compiler.autodiff.loss.Losses;
import io.knabla.functions.compiler.autodiff.reverse.Target;
import io.knabla.functions.compiler.autodiff.reverse.Unreachable;
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

/** The graphs of a gradient function's unit. */
final class GradientGraphs {
    private static final String OBJECTIVE = "knabla.objective";

    private final Dag model;
    private final Attached attached;

    GradientGraphs(Dag model, Attached attached) {
        this.model = model;
        this.attached = attached;
    }

    /** Outputs: the loss, the gradients, and what the model itself gives. */
    Dag main(List<Target> targets, Unreachable unreachable) {
        var outputs = new LinkedHashMap<>(attached.dag().outputs());
        outputs.put(OBJECTIVE, attached.objective());
        Dag found = Transforms.valueAndGradient(attached.dag().withOutputs(outputs), OBJECTIVE, targets, unreachable);
        var ordered = new LinkedHashMap<String, Value>();
        ordered.put(Losses.LOSS, found.outputs().get(Losses.LOSS));
        ordered.putAll(found.outputs());
        ordered.remove(OBJECTIVE);
        return found.withOutputs(ordered);
    }

    /** The Hessian of the scalar times tangents; outputs the loss first. */
    Dag hvp(List<Target> targets) {
        var outputs = new LinkedHashMap<>(attached.dag().outputs());
        outputs.put(OBJECTIVE, attached.objective());
        Dag found = Transforms.hvp(attached.dag().withOutputs(outputs), OBJECTIVE, targets);
        var kept = new LinkedHashMap<>(found.outputs());
        kept.remove(OBJECTIVE);
        return found.withOutputs(kept);
    }

    /** The scalar to differentiate at value + eps · direction: what finite differences ask for. */
    Dag perturbed(List<Target> targets) {
        Ops code = model.code();
        var scalar = TensorType.of(ElementType.FLOAT, Shape.SCALAR);
        Value eps = model.builder().input("eps", scalar);
        var inputs = new LinkedHashMap<>(attached.dag().inputs());
        inputs.put("eps", eps);
        var moved = new LinkedHashMap<Value, Value>();
        for (Target target : targets) {
            Value value = target.value();
            Value direction = model.builder().input("dir:" + target.name(), value.type());
            inputs.put("dir:" + target.name(), direction);
            moved.put(value, code.add(value, code.mul(direction, code.castLike(eps, value))));
        }
        return Rewriter.substitute(
                attached.dag().withInputs(inputs).withOutputs(Map.of(Losses.LOSS, attached.objective())), moved);
    }

    /** Of all floating-point outputs with respect to all floating-point inputs, if there are any. */
    Optional<Dag> vjp() {
        List<Target> targets = inputs();
        List<String> outputs = outputs();
        return targets.isEmpty() || outputs.isEmpty()
                ? Optional.empty()
                : Optional.of(Transforms.vjp(model, outputs, targets, Unreachable.ZERO));
    }

    Optional<Dag> jvp() {
        List<Target> targets = inputs();
        List<String> outputs = outputs();
        return targets.isEmpty() || outputs.isEmpty()
                ? Optional.empty()
                : Optional.of(Transforms.jvp(model, outputs, targets));
    }

    private List<Target> inputs() {
        return model.inputs().entrySet().stream()
                .filter(e -> e.getValue().isFloat())
                .map(e -> new Target(e.getKey(), e.getValue()))
                .toList();
    }

    private List<String> outputs() {
        return model.outputs().entrySet().stream()
                .filter(e -> e.getValue().isFloat())
                .map(Map.Entry::getKey)
                .toList();
    }
}
