package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.TensorSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Binds the model's named dimensions to the sizes in one request. */
final class DimensionBindings {
    private final Map<String, Long> sizes = new HashMap<>();

    /** Binds the named dimensions of one input; returns an error message if a size conflicts with another input. */
    Optional<String> bind(TensorSpec spec, long[] shape) {
        for (int d = 0; d < shape.length; d++) {
            String symbol = spec.symbols().get(d);
            if (symbol.isEmpty()) {
                continue;
            }
            Long before = sizes.putIfAbsent(symbol, shape[d]);
            if (before != null && before != shape[d]) {
                return Optional.of("dimension '%s' is %d here but %d in another input; they must be equal"
                        .formatted(symbol, shape[d], before));
            }
        }
        return Optional.empty();
    }

    /** Resolves a shape; empty unless every dimension is fixed or bound. */
    Optional<long[]> shape(TensorSpec spec) {
        List<Long> dims = spec.shape();
        long[] shape = new long[dims.size()];
        for (int d = 0; d < shape.length; d++) {
            Long size =
                    dims.get(d) >= 0 ? dims.get(d) : sizes.get(spec.symbols().get(d));
            if (size == null) {
                return Optional.empty();
            }
            shape[d] = size;
        }
        return Optional.of(shape);
    }
}
