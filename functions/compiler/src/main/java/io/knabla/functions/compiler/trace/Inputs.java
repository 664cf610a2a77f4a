package io.knabla.functions.compiler.trace;

import java.util.Map;

/** Arguments of a traced function by name. */
public record Inputs(Map<String, Tensor> tensors) {
    public Tensor get(String name) {
        Tensor found = tensors.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no input '%s'; there are %s".formatted(name, tensors.keySet()));
        }
        return found;
    }
}
