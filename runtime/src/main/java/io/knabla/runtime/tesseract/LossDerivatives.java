package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.RunResult;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.tesseract.RequestBody.SelectedTensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Derivatives of a function's loss: its gradient as a row of a Jacobian, and products of its Hessian. */
final class LossDerivatives {
    private final RequestRunner calls;

    LossDerivatives(RequestRunner calls) {
        this.calls = calls;
    }

    /** The gradients, copied; each has the shape of its value, because the loss is one number. */
    Map<String, Tensor> gradient(LossGraph loss, List<SelectedTensor> inputs) {
        return calls.run(loss, JacobianProducts.gradients(inputs), answer -> {
            var row = new LinkedHashMap<String, Tensor>();
            for (SelectedTensor input : inputs) {
                row.put(input.given(), copy(JacobianProducts.find(answer, input.name() + Capabilities.GRADIENT)));
            }
            return row;
        });
    }

    private static Tensor copy(Tensor tensor) {
        ByteBuffer from = tensor.data().duplicate();
        ByteBuffer data = ByteBuffer.allocate(from.remaining()).order(ByteOrder.LITTLE_ENDIAN);
        data.put(from).flip();
        return Tensor.numbers(tensor.name(), tensor.type(), tensor.shape(), data);
    }

    /** A value's tangent with its concrete shape: that of the request for an input, else the declared one. */
    TensorSpec tangent(TensorSpec value) {
        TensorSpec tangent = RequestRunner.renamed(value, Capabilities.TANGENT + value.name());
        Tensor input = calls.inputs().get(value.name());
        return input == null ? tangent : RequestRunner.withShape(tangent, input.shape());
    }

    /** Runs the product with the given tangents, and zeros for the other values. */
    <T> T hessianProduct(
            EntryPoint hvp,
            List<TensorSpec> values,
            Map<String, Tensor> tangents,
            List<SelectedTensor> of,
            Function<RunResult, T> use) {
        var vector = new HashMap<String, Tensor>();
        for (TensorSpec value : values) {
            Tensor given = tangents.get(value.name());
            TensorSpec tangent = tangent(value);
            long[] shape = tangent.shape().stream().mapToLong(Long::longValue).toArray();
            vector.put(tangent.name(), given != null ? given : calls.zeros(tangent, shape));
        }
        List<String> wanted =
                of.stream().map(one -> Capabilities.HESSIAN + one.name()).toList();
        return calls.run(hvp, vector, wanted, use);
    }
}
