package io.knabla.functions.compiler.optimize;

import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.ir.RaceFreeScatter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.optimize.algebra.Simplification;
import io.knabla.functions.compiler.optimize.memory.RecomputationPlanner;
import io.knabla.functions.compiler.optimize.merge.ProjectionMerger;
import io.knabla.functions.compiler.optimize.order.NodeOrder;
import io.knabla.functions.compiler.optimize.pattern.OperatorFusion;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/** Optimises graphs before and after differentiation. */
public final class GraphOptimizer {
    private GraphOptimizer() {}

    /** Fuses operator chains that exporters write for one operation; the fused operation has a cheap derivative. */
    public static Dag fuseOperators(Dag dag) {
        return OperatorFusion.apply(dag);
    }

    /**
     * Merges matrix products of one input into one product where that is faster.
     *
     * @param kept values that must keep their identity, such as gradient targets
     */
    public static Dag mergeProjections(Dag prepared, Collection<Value> kept) {
        return ProjectionMerger.apply(prepared, kept);
    }

    /** Simplifies, orders and exports a derivative graph; keeps all activations in memory. */
    public static OptimizedModel finish(Dag derived) {
        Dag dag = RaceFreeScatter.of(Simplification.apply(derived));
        NodeOrder arrangement = NodeOrder.of(dag);
        return new OptimizedModel(
                Exporter.write(dag, arrangement.withBodies(dag)),
                arrangement.schedule().peak(),
                arrangement.reason());
    }

    /**
     * Recomputes activations instead of keeping them all (checkpointing). Works on any engine: its optimisations cannot
     * undo it.
     *
     * @param plain outputs that the model has without derivatives, including the loss
     * @param mostBytes limit on the memory of values between nodes; if empty, as little as one extra forward pass
     *     allows
     */
    public static OptimizedModel recompute(Dag derived, Collection<String> plain, OptionalLong mostBytes) {
        Dag dag = RaceFreeScatter.of(Simplification.apply(derived));
        List<Value> results = plain.stream().map(dag.outputs()::get).toList();
        RecomputationPlanner.Plan plan = RecomputationPlanner.plan(dag, results, mostBytes);
        return new OptimizedModel(
                Exporter.write(plan.dag(), plan.order().withBodies(plan.dag())), plan.peakAfter(), plan.reason());
    }
}
