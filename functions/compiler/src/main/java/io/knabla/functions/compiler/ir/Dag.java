package io.knabla.functions.compiler.ir;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Graph in SSA form, defined by its outputs: operations that no output reaches do not belong to it.
 *
 * @param builder creates further operations on these values
 * @param inputs by name, in order
 * @param outputs by name, in order
 * @param initializers the file's own tensors by name; training treats the real ones as parameters
 * @param domains versions of the operator sets besides ONNX's own that the file uses
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
        return Reachability.ops(outputs.values());
    }

    /** Version of ONNX's own operators that it uses. */
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

    /** Finds an input, initializer, output or inner value by its name in the file. */
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
