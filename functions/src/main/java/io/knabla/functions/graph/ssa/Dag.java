package io.knabla.functions.graph.ssa;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A graph is what its outputs reach: code that nothing uses vanishes by itself.
 *
 * @param builder makes more operations over these values
 * @param inputs by name, in order
 * @param outputs by name, in order
 * @param initializers the file's own tensors by name: what training calls parameters if they are real
 * @param domains versions of operator sets other than ONNX's own that the file uses
 */
public record Dag(
        Builder builder,
        Map<String, Value> inputs,
        Map<String, Value> outputs,
        Map<String, Value> initializers,
        Map<String, Long> domains) {

    public Dag {
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
        initializers = Collections.unmodifiableMap(new LinkedHashMap<>(initializers));
        domains = Map.copyOf(domains);
    }

    /** Operations of the main graph and of all bodies, in topological order. */
    public List<Op> ops() {
        return Reach.ops(outputs.values());
    }

    /** Version of ONNX's operators that its operations are written in. */
    public long opset() {
        return builder.opset();
    }

    public Ops code() {
        return new Ops(builder);
    }

    /** The same values with other outputs. */
    public Dag withOutputs(Map<String, Value> others) {
        return new Dag(builder, inputs, others, initializers, domains);
    }

    public Dag withInputs(Map<String, Value> others) {
        return new Dag(builder, others, outputs, initializers, domains);
    }

    /** An input, initializer, output or inner value by the file's name for it. */
    public Optional<Value> find(String name) {
        if (outputs.containsKey(name)) {
            return Optional.of(outputs.get(name));
        }
        if (inputs.containsKey(name)) {
            return Optional.of(inputs.get(name));
        }
        if (initializers.containsKey(name)) {
            return Optional.of(initializers.get(name));
        }
        return ops().stream()
                .flatMap(op -> op.outputs().stream())
                .filter(v -> v.name().equals(name))
                .findFirst()
                .or(() -> builder.named(name));
    }
}
