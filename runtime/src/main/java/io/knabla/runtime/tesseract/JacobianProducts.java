package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.RunResult;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.tesseract.RequestBody.SelectedTensor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Computes vector-Jacobian and Jacobian-vector products (VJP and JVP). */
final class JacobianProducts {
    private final RequestRunner calls;
    private final Map<String, long[]> outputShapes;

    JacobianProducts(RequestRunner calls) {
        this.calls = calls;
        this.outputShapes = calls.outputShapes();
    }

    long[] outputShape(String output) {
        return outputShapes.get(output);
    }

    long[] inputShape(String input) {
        return calls.inputs().get(input).shape();
    }

    /** The specification of an output's cotangent or an input's tangent, with its concrete shape. */
    Optional<TensorSpec> spec(EntryPoint entry, String prefix, String name) {
        long[] shape = prefix.equals(Capabilities.COTANGENT) ? outputShape(name) : inputShape(name);
        return RequestRunner.find(entry.inputs(), prefix + name).map(one -> RequestRunner.withShape(one, shape));
    }

    /** Builds the full tangent or cotangent: the given parts, zeros elsewhere. */
    Map<String, Tensor> vector(EntryPoint entry, String prefix, Map<String, Tensor> parts) {
        var whole = new HashMap<String, Tensor>();
        for (TensorSpec input : entry.inputs()) {
            if (!input.name().startsWith(prefix)) {
                continue;
            }
            String name = input.name().substring(prefix.length());
            boolean known = prefix.equals(Capabilities.COTANGENT)
                    ? outputShapes.containsKey(name)
                    : calls.inputs().containsKey(name);
            if (known) {
                Tensor part = parts.get(name);
                whole.put(
                        input.name(),
                        part != null
                                ? part
                                : calls.zeros(
                                        input,
                                        prefix.equals(Capabilities.COTANGENT) ? outputShape(name) : inputShape(name)));
            }
        }
        return whole;
    }

    <T> T run(EntryPoint entry, Map<String, Tensor> vector, List<String> outputs, Function<RunResult, T> use) {
        return calls.run(entry, vector, outputs, use);
    }

    static List<String> gradients(List<SelectedTensor> inputs) {
        return inputs.stream().map(one -> one.name() + Capabilities.GRADIENT).toList();
    }

    static List<String> derivatives(List<SelectedTensor> outputs) {
        return outputs.stream().map(one -> Capabilities.DERIVATIVE + one.name()).toList();
    }

    static Tensor find(RunResult answer, String name) {
        return answer.outputs().stream()
                .filter(tensor -> tensor.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the unit's graph lacks '" + name + "'"));
    }
}
