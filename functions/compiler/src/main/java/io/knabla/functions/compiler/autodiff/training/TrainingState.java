package io.knabla.functions.compiler.autodiff.training;

import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BinaryOperator;

/** State that a training step reads and writes back: inputs by name, and their next values. */
final class TrainingState {
    /** Prefix of an output that holds the next value of an input. */
    static final String NEXT = "new:";

    private final Builder builder;
    private final Map<String, Value> inputs = new LinkedHashMap<>();
    private final Map<String, Value> next = new LinkedHashMap<>();

    TrainingState(Builder builder) {
        this.builder = builder;
    }

    /** Returns the input of a state tensor; it starts as zero unless the model file has a value. */
    Value read(String name, TensorType type) {
        return inputs.computeIfAbsent(name, _ -> builder.input(name, type));
    }

    void write(String name, Value value) {
        next.put(name, value);
    }

    /** Replaces the next value of a tensor, if there is such a tensor. */
    void change(String name, BinaryOperator<Value> ofPresentAndNext) {
        next.computeIfPresent(name, (_, value) -> ofPresentAndNext.apply(inputs.get(name), value));
    }

    Map<String, Value> inputs() {
        return inputs;
    }

    Map<String, Value> outputs() {
        var outputs = new LinkedHashMap<String, Value>();
        inputs.keySet().forEach(name -> outputs.put(NEXT + name, next.get(name)));
        return outputs;
    }
}
