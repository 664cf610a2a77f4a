package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import java.util.List;
import java.util.Optional;

/**
 * Capabilities of a function for Tesseract clients: the plain model, and its VJP and JVP entries if it has them.
 *
 * @param inputs inputs of the plain model
 * @param apply entry that is the plain model; empty if the main graph is
 * @param vjp takes {@code ct:<output>} beside the model's inputs, computes {@code <input>_grad}
 * @param jvp takes {@code tan:<input>} beside the model's inputs, computes {@code jvp:<output>}
 * @param loss the main graph, if it computes a loss and {@code <value>_grad}
 * @param hvp takes {@code tan:<value>} beside the inputs of the loss, computes {@code hvp:<value>}
 */
record Capabilities(
        List<TensorSpec> inputs,
        List<TensorSpec> outputs,
        Optional<EntryPoint> apply,
        Optional<EntryPoint> vjp,
        Optional<EntryPoint> jvp,
        Optional<LossGraph> loss,
        Optional<EntryPoint> hvp) {
    static final String COTANGENT = "ct:";
    static final String TANGENT = "tan:";
    static final String GRADIENT = "_grad";
    static final String DERIVATIVE = "jvp:";
    static final String HESSIAN = "hvp:";
    static final String LOSS = "loss";

    /**
     * The capabilities of a unit; empty if its plain model cannot be called this way, for the reason in
     * {@link #unsupportedReason}.
     */
    static Optional<Capabilities> of(GraphManifest manifest) {
        if (!unsupportedReason(manifest).isEmpty()) {
            return Optional.empty();
        }
        Optional<EntryPoint> apply = manifest.entry("apply");
        return Optional.of(new Capabilities(
                apply.map(EntryPoint::inputs).orElse(manifest.inputs()),
                apply.map(EntryPoint::outputs).orElse(manifest.outputs()),
                apply,
                manifest.entry("vjp"),
                manifest.entry("jvp"),
                LossGraph.of(manifest),
                manifest.entry("hvp")));
    }

    /** The values that Hessian-vector products may be asked for. */
    List<TensorSpec> hessianValues() {
        return hvp.stream()
                .flatMap(entry -> entry.inputs().stream())
                .filter(input -> input.name().startsWith(TANGENT))
                .map(input -> RequestRunner.renamed(input, input.name().substring(TANGENT.length())))
                .toList();
    }

    /** The inputs of the model and the loss, without tangents. */
    List<TensorSpec> hessianInputs() {
        return hvp.stream()
                .flatMap(entry -> entry.inputs().stream())
                .filter(input -> !input.name().startsWith(TANGENT))
                .toList();
    }

    /** The loss, if a Jacobian of it may be asked for: it has a gradient if it is one number. */
    Optional<TensorSpec> jacobianLoss() {
        return loss.map(LossGraph::value)
                .filter(one -> one.shape().stream().allMatch(size -> size == 1))
                .filter(one -> RequestRunner.find(outputs, LOSS).isEmpty());
    }

    /** Why the unit has no {@code apply} endpoint; empty if it has one. */
    static String unsupportedReason(GraphManifest manifest) {
        Optional<EntryPoint> apply = manifest.entry("apply");
        if (manifest.training().isPresent()) {
            return "a TrainingStep function answers infer only; deploy the model with type: Gradient for these endpoints";
        }
        List<TensorSpec> inputs = apply.map(EntryPoint::inputs).orElse(manifest.inputs());
        List<TensorSpec> outputs = apply.map(EntryPoint::outputs).orElse(manifest.outputs());
        for (List<TensorSpec> specs : List.of(inputs, outputs)) {
            for (TensorSpec spec : specs) {
                if (Dtypes.name(spec.datatype()).isEmpty()) {
                    return "'%s' is %s, which these endpoints do not know; call infer"
                            .formatted(spec.name(), spec.datatype());
                }
            }
        }
        return "";
    }

    /** Inputs that support differentiation in every entry the function has. */
    List<TensorSpec> differentiableInputs() {
        return inputs.stream()
                .filter(input -> differentiable()
                        && has(vjp, true, input.name() + GRADIENT)
                        && has(jvp, false, TANGENT + input.name()))
                .toList();
    }

    /** Outputs that support differentiation in every entry the function has. */
    List<TensorSpec> differentiableOutputs() {
        return outputs.stream()
                .filter(output -> differentiable()
                        && has(vjp, false, COTANGENT + output.name())
                        && has(jvp, true, DERIVATIVE + output.name()))
                .toList();
    }

    private boolean differentiable() {
        return vjp.isPresent() || jvp.isPresent();
    }

    /** Whether the entry has this input or output; true if there is no such entry. */
    private static boolean has(Optional<EntryPoint> entry, boolean output, String name) {
        return entry.isEmpty()
                || (output ? entry.get().outputs() : entry.get().inputs())
                        .stream().anyMatch(spec -> spec.name().equals(name));
    }
}
