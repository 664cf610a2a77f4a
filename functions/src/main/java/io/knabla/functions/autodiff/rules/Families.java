package io.knabla.functions.autodiff.rules;

import io.knabla.functions.autodiff.Rule;
import java.util.Map;

/** What the table is put together from. */
public final class Families {
    private Families() {}

    public static void register(Map<String, Rule> table) {
        Stops.register(table);
        Unary.register(table);
        Binary.register(table);
        Shapes.register(table);
        Slices.register(table);
        Gathers.register(table);
        Scatters.register(table);
        Reductions.register(table);
        Fourier.register(table);
        CrossEntropy.register(table);
        Determinants.register(table);
        GridSampling.register(table);
        ControlFlow.register(table);
        Recurrent.register(table);
        MatrixProducts.register(table);
        Contractions.register(table);
        Activations.register(table);
        Convolutions.register(table);
        Pooling.register(table);
        Normalizations.register(table);
        Resizing.register(table);
    }
}
