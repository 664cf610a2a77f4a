package io.knabla.functions.compiler.optimize.pattern;

import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Optional;

/** Fuses operator chains: the first pattern that matches an operation replaces its outputs. */
public final class OperatorFusion {
    private static final List<Rewriter.Rule> ALL = List.of(GeluFusion::rewrite, LogSoftmaxFusion::rewrite);

    private OperatorFusion() {}

    public static Dag apply(Dag dag) {
        return Rewriter.apply(dag, OperatorFusion::first);
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
