package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleTable;
import java.util.HashMap;
import java.util.Map;

/** Table of all derivative rules; each class of a family of operators adds the rules of that family. */
public final class StandardRules {
    public static final RuleTable TABLE = new RuleTable(table());

    /** The same, and estimates of what quantisation in QDQ format lets through. */
    public static final RuleTable STRAIGHT_THROUGH = straightThrough();

    private StandardRules() {}

    private static RuleTable straightThrough() {
        Map<String, Rule> table = table();
        StraightThrough.register(table);
        return new RuleTable(table, StraightThrough.QUANTIZERS, StraightThrough.DEQUANTIZERS);
    }

    private static Map<String, Rule> table() {
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
        return table;
    }
}
