package io.knabla.functions.compiler.trace;

import io.knabla.functions.compiler.interpreter.EvaluationException;
import io.knabla.functions.compiler.interpreter.Evaluator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Executes an operator: computes it if all inputs have values, records it during a trace. */
final class Operation {
    private Operation() {}

    /** @param inputs null for an omitted optional input */
    static List<Tensor> run(String type, Attributes attributes, List<Tensor> inputs, int outputs) {
        Recording recording = recording(inputs);
        return recording == null
                ? compute(type, attributes, inputs)
                : record(recording, type, attributes, inputs, outputs);
    }

    /** The trace to which the tensors belong; null if all have values. */
    static Recording recording(List<Tensor> tensors) {
        Recording found = null;
        for (Tensor tensor : tensors) {
            Recording other = tensor == null ? null : tensor.recording();
            if (found != null && other != null && found != other) {
                throw new IllegalStateException(DataDependentException.callSite() + " mixes tensors of two traces");
            }
            found = other == null ? found : other;
        }
        return found;
    }

    private static List<Tensor> compute(String type, Attributes attributes, List<Tensor> inputs) {
        var arrays = new ArrayList<NdArray>();
        inputs.forEach(input -> arrays.add(input == null ? null : input.array()));
        return Evaluator.evaluate(type, attributes.values(), arrays)
                .orElseThrow(() -> new EvaluationException(
                        "operator " + type + " is not evaluated; it can only be part of a file"))
                .stream()
                .map(Tensor::of)
                .toList();
    }

    private static List<Tensor> record(
            Recording recording, String type, Attributes attributes, List<Tensor> inputs, int outputs) {
        var values = new ArrayList<Value>();
        inputs.forEach(input -> values.add(input == null ? null : input.value(recording)));
        Op op = recording.builder().op(Op.Spec.of(type, attributes, values), outputs);
        return op.outputs().stream()
                .filter(Objects::nonNull)
                .map(value -> new Tensor(recording, value))
                .toList();
    }
}
