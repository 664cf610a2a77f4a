package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.LabelRange;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The main graph of a gradient function: its loss and the gradients.
 *
 * @param inputs those of the model, and the loss's target
 * @param outputs the loss, then the gradients, then the model's own
 * @param labels the input that holds class indices, if the loss has one
 */
record LossGraph(List<TensorSpec> inputs, List<TensorSpec> outputs, Optional<LabelRange> labels) {
    static Optional<LossGraph> of(GraphManifest manifest) {
        boolean differentiated = manifest.entry("apply").isPresent()
                && RequestRunner.find(manifest.outputs(), Capabilities.LOSS).isPresent();
        return differentiated
                ? Optional.of(new LossGraph(manifest.inputs(), manifest.outputs(), manifest.labels()))
                : Optional.empty();
    }

    /** The loss itself. */
    TensorSpec value() {
        return RequestRunner.find(outputs, Capabilities.LOSS).orElseThrow();
    }

    /** The values that the loss has gradients for. */
    List<TensorSpec> values() {
        return outputs.stream()
                .filter(output -> output.name().endsWith(Capabilities.GRADIENT))
                .map(output -> RequestRunner.renamed(
                        output, output.name().substring(0, output.name().length() - Capabilities.GRADIENT.length())))
                .toList();
    }

    /** Adds a fault if a class index is out of range: the engine would count some of them from the end. */
    void check(Map<String, Tensor> given, Faults faults) {
        Tensor indices = labels.map(LabelRange::input).map(given::get).orElse(null);
        if (indices == null || indices.type() != DataType.INT64) {
            return;
        }
        long count = RequestRunner.elementCount(indices.shape());
        for (int i = 0; i < count; i++) {
            long label = (long) Elements.real(indices.type(), indices.data(), i);
            if (!labels.get().allow(label)) {
                faults.add(new Fault(
                        "value_error",
                        List.of("body", "inputs", indices.name()),
                        "found the class %d at %d; allowed are %s"
                                .formatted(label, i, labels.get().allowed())));
                return;
            }
        }
    }
}
