package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.Rules;
import java.util.HashMap;

/** The table of all derivative rules, put together from one class a family of operators. */
public final class StandardRules {
    public static final Rules TABLE = table();

    private StandardRules() {}

    private static Rules table() {
        var table = new HashMap<String, Rule>();
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
        return new Rules(table);
    }
}
