package io.knabla.functions.compiler.optimize.algebra;

import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Simplifies derivative graphs: replaces the general form that a derivative rule emits by one with fewer passes over
 * memory.
 */
public final class Simplification {
    private static final List<Rewriter.Rule> ALL = List.of(
            ExpandElimination::rewrite,
            ScalarReassociation::rewrite,
            ScatterSumRewrite::rewrite,
            LabelLossDecomposition::rewrite);

    private Simplification() {}

    public static Dag apply(Dag dag) {
        return Rewriter.apply(dag, Simplification::first);
    }

    private static Optional<List<Value>> first(Ops code, Op op) {
        Optional<List<Value>> found = Optional.empty();
        for (Rewriter.Rule rule : ALL) {
            Op now = found.flatMap(values -> values.getFirst().producer()).orElse(op);
            found = rule.rewrite(code, now).or(keep(found));
        }
        return found;
    }

    private static Supplier<Optional<List<Value>>> keep(Optional<List<Value>> found) {
        return () -> found;
    }
}
