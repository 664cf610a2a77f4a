package io.knabla.functions.optimize.pattern;

import io.knabla.functions.graph.ssa.Dag;
import io.knabla.functions.graph.ssa.Op;
import io.knabla.functions.graph.ssa.Ops;
import io.knabla.functions.graph.ssa.Rewriter;
import io.knabla.functions.graph.ssa.Value;
import java.util.List;
import java.util.Optional;

/** The list of all patterns; the first that matches an operation replaces what it gives. */
public final class Patterns {
    private static final List<Rewriter.Rule> ALL = List.of(Gelus::rewrite, Softmaxes::rewrite);

    private Patterns() {}

    public static Dag apply(Dag dag) {
        return Rewriter.apply(dag, Patterns::first);
    }

    private static Optional<List<Value>> first(Ops code, Op op) {
        for (Rewriter.Rule pattern : ALL) {
            Optional<List<Value>> found = pattern.rewrite(code, op);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }
}
