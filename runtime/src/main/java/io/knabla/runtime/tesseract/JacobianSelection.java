package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.tesseract.RequestBody.SelectedTensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The outputs and inputs that a request for a Jacobian selects. The loss is an output, too; its gradients are those of
 * {@code withRespectTo}, parameters among them, and it needs its target beside the model's inputs.
 */
record JacobianSelection(Capabilities offer, List<SelectedTensor> inputs, List<SelectedTensor> outputs) {

    static JacobianSelection read(RequestBody body, Capabilities offer) {
        List<TensorSpec> allowed = Stream.concat(offer.differentiableOutputs().stream(), offer.jacobianLoss().stream())
                .toList();
        List<SelectedTensor> outputs = body.select("jac_outputs", allowed);
        boolean loss = outputs.stream().anyMatch(one -> isLoss(one, offer));
        boolean others = outputs.stream().anyMatch(one -> !isLoss(one, offer));
        List<TensorSpec> values = loss ? offer.loss().orElseThrow().values() : offer.differentiableInputs();
        List<TensorSpec> both = values.stream()
                .filter(value -> !others
                        || RequestRunner.find(offer.differentiableInputs(), value.name())
                                .isPresent())
                .toList();
        return new JacobianSelection(offer, body.select("jac_inputs", both), outputs);
    }

    private static boolean isLoss(SelectedTensor output, Capabilities offer) {
        return output.name().equals(Capabilities.LOSS) && offer.jacobianLoss().isPresent();
    }

    private Optional<SelectedTensor> loss() {
        return outputs.stream().filter(one -> isLoss(one, offer)).findFirst();
    }

    /** The inputs that the request must give. */
    List<TensorSpec> graphInputs() {
        return loss().isPresent() ? offer.loss().orElseThrow().inputs() : offer.inputs();
    }

    /** Computes the blocks by output and input. */
    Map<String, Map<String, Tensor>> blocks(RequestRunner calls) {
        List<SelectedTensor> others =
                outputs.stream().filter(one -> !isLoss(one, offer)).toList();
        Map<String, Map<String, Tensor>> computed =
                others.isEmpty() ? Map.of() : Jacobian.of(new JacobianProducts(calls), offer, inputs, others);
        var blocks = new LinkedHashMap<String, Map<String, Tensor>>();
        for (SelectedTensor output : outputs) {
            blocks.put(
                    output.given(),
                    isLoss(output, offer)
                            ? new LossDerivatives(calls).gradient(offer.loss().orElseThrow(), inputs)
                            : computed.get(output.given()));
        }
        return blocks;
    }
}
