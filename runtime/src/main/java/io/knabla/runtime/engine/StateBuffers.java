package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import io.knabla.functions.unit.EngineName;
import io.knabla.functions.unit.TrainingSpec;
import io.knabla.functions.unit.TrainingSpec.StateTensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Buffers for one copy of a training unit's state, which the engine reads and writes in place. */
final class StateBuffers {
    private final List<StateTensor> state;
    private final List<Tensor> tensors = new ArrayList<>();

    StateBuffers(TrainingSpec training) {
        this.state = training.state();
        for (StateTensor tensor : state) {
            if (tensor.bytes() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "state tensor '%s' has %d bytes; a replica keeps tensors of up to 2 GiB"
                                .formatted(tensor.input(), tensor.bytes()));
            }
            long[] shape =
                    tensor.tensor().shape().stream().mapToLong(Long::longValue).toArray();
            ByteBuffer memory = memory(tensor);
            tensors.add(Tensor.numbers(tensor.input(), tensor.tensor().datatype(), shape, memory));
        }
    }

    private ByteBuffer memory(StateTensor tensor) {
        try {
            return ByteBuffer.allocateDirect((int) tensor.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        } catch (OutOfMemoryError full) {
            long all = state.stream().mapToLong(StateTensor::bytes).sum();
            throw new IllegalStateException(
                    "the state of this training step has %d MiB, and a replica needs room for it twice; raise resources.memory"
                            .formatted(all >> 20),
                    full);
        }
    }

    /** The tensors in the manifest's order, named after the graph's state inputs. */
    List<Tensor> tensors() {
        return tensors;
    }

    void putInputs(Map<String, OnnxTensor> into) throws OrtException {
        for (int i = 0; i < tensors.size(); i++) {
            into.put(EngineName.of(state.get(i).input()), TensorBinding.toOnnx(tensors.get(i)));
        }
    }

    void putOutputs(Map<String, OnnxTensor> into) throws OrtException {
        for (int i = 0; i < tensors.size(); i++) {
            into.put(EngineName.of(state.get(i).output()), TensorBinding.toOnnx(tensors.get(i)));
        }
    }

    void close() {
        tensors.forEach(Tensor::close);
    }
}
