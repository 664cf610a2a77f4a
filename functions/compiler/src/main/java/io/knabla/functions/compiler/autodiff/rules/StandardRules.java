package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleTable;
import java.util.HashMap;

/** Table of all derivative rules; each class of a family of operators adds the rules of that family. */
public final class StandardRules {
    public static final RuleTable TABLE = table();

    private StandardRules() {}

    private static RuleTable table() {
        var table = new HashMap<String, Rule>();
        NonDifferentiableOps.register(table);
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
        return new RuleTable(table);
    }
}
