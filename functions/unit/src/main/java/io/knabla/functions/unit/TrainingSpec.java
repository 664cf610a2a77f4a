package io.knabla.functions.unit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * State that a training step keeps between calls. The replica feeds and reads these inputs and outputs of the main
 * graph; callers do not see them.
 *
 * @param state parameters and the optimizer's state
 * @param initial a blob in safetensors format with the state before the first step; a tensor that it lacks starts at
 *     zero
 * @param settings optional inputs of the main graph
 */
public record TrainingSpec(List<StateTensor> state, Blob initial, List<Setting> settings) {
    public TrainingSpec {
        state = List.copyOf(state);
        settings = List.copyOf(settings);
        Set<String> inputs = new HashSet<>();
        Set<String> outputs = new HashSet<>();
        for (StateTensor tensor : state) {
            if (!inputs.add(tensor.input()) || !outputs.add(tensor.output())) {
                throw new IllegalArgumentException("two state tensors have the input '%s' or the output '%s'"
                        .formatted(tensor.input(), tensor.output()));
            }
        }
    }

    public TrainingSpec(List<StateTensor> state, Blob initial) {
        this(state, initial, List.of());
    }

    /**
     * One tensor of the training state.
     *
     * @param input the graph's input that reads it, and its name in the state object
     * @param output the graph's output with its next value
     * @param tensor type and shape, all dimensions fixed; its name is {@code input}
     */
    public record StateTensor(String input, String output, TensorSpec tensor) {
        public StateTensor {
            if (!tensor.name().equals(input)) {
                throw new IllegalArgumentException("state tensor '%s' describes '%s'".formatted(input, tensor.name()));
            }
            if (tensor.datatype().bytes() == 0) {
                throw new IllegalArgumentException("state tensor '%s' holds texts".formatted(input));
            }
            bytes(tensor);
        }

        /** Size of its values in bytes. */
        public long bytes() {
            return bytes(tensor);
        }

        private static long bytes(TensorSpec tensor) {
            long bytes = tensor.datatype().bytes();
            for (long size : tensor.shape()) {
                if (size < 0) {
                    throw new IllegalArgumentException(
                            "state tensor '%s' has a variable dimension".formatted(tensor.name()));
                }
                bytes = Math.multiplyExact(bytes, size);
            }
            return bytes;
        }
    }

    /**
     * An optional scalar input of type FP32 or FP64.
     *
     * @param otherwise its default value
     */
    public record Setting(String input, double otherwise) {
        public Setting {
            if (!Double.isFinite(otherwise)) {
                throw new IllegalArgumentException("setting '%s' is %s".formatted(input, otherwise));
            }
        }
    }
}
