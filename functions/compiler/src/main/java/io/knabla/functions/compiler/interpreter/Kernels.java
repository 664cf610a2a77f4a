package io.knabla.functions.compiler.interpreter;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Table of all kernels by operator name, filled by one class per family of operators. */
final class Kernels {
    private static final Map<String, Kernel> TABLE = all();

    private Kernels() {}

    static Optional<Kernel> of(String op) {
        return Optional.ofNullable(TABLE.get(op));
    }

    static Iterable<String> names() {
        return TABLE.keySet().stream().sorted().toList();
    }

    private static Map<String, Kernel> all() {
        var table = new HashMap<String, Kernel>();
        Unary.register(table);
        Binary.register(table);
        Casts.register(table);
        Matrices.register(table);
        Reductions.register(table);
        Layouts.register(table);
        Paddings.register(table);
        Gathers.register(table);
        Scatters.register(table);
        Sorting.register(table);
        Generators.register(table);
        Softmaxes.register(table);
        Normalizations.register(table);
        Convolutions.register(table);
        Poolings.register(table);
        Losses.register(table);
        Fourier.register(table);
        Resizes.register(table);
        Quantizations.register(table);
        Recurrences.register(table);
        return Map.copyOf(table);
    }
}
