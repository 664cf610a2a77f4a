package io.knabla.functions.compiler.trace;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names and types of a traced function's inputs, in order. */
public record Signature(Map<String, TensorType> inputs) {
    public Signature {
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    }

    /** @param dims sizes as integers, or names of sizes that vary between calls */
    public static Signature of(String name, ElementType element, Object... dims) {
        return new Signature(Map.of()).and(name, element, dims);
    }

    public Signature and(String name, ElementType element, Object... dims) {
        return and(name, TensorType.of(element, new Shape(sizes(dims))));
    }

    Signature and(String name, TensorType type) {
        var more = new LinkedHashMap<>(inputs);
        if (more.put(name, type) != null) {
            throw new IllegalArgumentException("two inputs are called '" + name + "'");
        }
        return new Signature(more);
    }

    private static List<Dim> sizes(Object... dims) {
        var sizes = new ArrayList<Dim>();
        for (Object dim : dims) {
            sizes.add(
                    switch (dim) {
                        case Number size -> Dim.of(size.longValue());
                        case String name -> new Dim.Symbol(name);
                        default -> throw new IllegalArgumentException("a dimension is a number or a name, not " + dim);
                    });
        }
        return sizes;
    }
}
