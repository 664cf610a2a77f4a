package io.knabla.runtime.serve.tesseract;

import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitManifest;
import java.util.List;
import java.util.Optional;

/**
 * What a function offers to Tesseract clients.
 *
 * @param inputs of the plain model
 * @param apply the entry that is the plain model; empty where the main graph is
 * @param vjp takes {@code ct:<output>} beside the model's inputs and gives {@code <input>_grad}
 * @param jvp takes {@code tan:<input>} beside the model's inputs and gives {@code jvp:<output>}
 */
record Offer(
        List<TensorSpec> inputs,
        List<TensorSpec> outputs,
        Optional<EntryPoint> apply,
        Optional<EntryPoint> vjp,
        Optional<EntryPoint> jvp) {
    static final String COTANGENT = "ct:";
    static final String TANGENT = "tan:";
    static final String GRADIENT = "_grad";
    static final String DERIVATIVE = "jvp:";

    /** Empty where the unit's plain model cannot be called so, which {@link #why} explains. */
    static Optional<Offer> of(UnitManifest manifest) {
        if (!why(manifest).isEmpty()) {
            return Optional.empty();
        }
        Optional<EntryPoint> apply = manifest.entry("apply");
        return Optional.of(new Offer(
                apply.map(EntryPoint::inputs).orElse(manifest.inputs()),
                apply.map(EntryPoint::outputs).orElse(manifest.outputs()),
                apply,
                manifest.entry("vjp"),
                manifest.entry("jvp")));
    }

    /** Why there is no {@code apply}; empty where there is one. */
    static String why(UnitManifest manifest) {
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

    /** The inputs that may be differentiated with respect to: those that every entry knows so. */
    List<TensorSpec> differentiableInputs() {
        return inputs.stream()
                .filter(input -> differentiable()
                        && has(vjp, true, input.name() + GRADIENT)
                        && has(jvp, false, TANGENT + input.name()))
                .toList();
    }

    /** The outputs that may be differentiated: those that every entry knows so. */
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

    /** Whether the entry has this input or output; an entry that is not there asks for nothing. */
    private static boolean has(Optional<EntryPoint> entry, boolean output, String name) {
        return entry.isEmpty()
                || (output ? entry.get().outputs() : entry.get().inputs())
                        .stream().anyMatch(spec -> spec.name().equals(name));
    }
}
