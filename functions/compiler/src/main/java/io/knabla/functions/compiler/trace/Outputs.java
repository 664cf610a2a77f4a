package io.knabla.functions.compiler.trace;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Results of a traced function by name, in order. */
public record Outputs(Map<String, Tensor> tensors) {
    public Outputs {
        tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
    }

    public static Outputs of(String name, Tensor tensor) {
        return new Outputs(Map.of(name, tensor));
    }

    public Outputs and(String name, Tensor tensor) {
        var more = new LinkedHashMap<>(tensors);
        more.put(name, tensor);
        return new Outputs(more);
    }
}
