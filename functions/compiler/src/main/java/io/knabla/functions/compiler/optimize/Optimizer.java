package io.knabla.functions.compiler.optimize;

import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.ir.RaceFreeScatter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.optimize.algebra.Simplification;
import io.knabla.functions.compiler.optimize.memory.Recomputing;
import io.knabla.functions.compiler.optimize.merge.Merging;
import io.knabla.functions.compiler.optimize.order.Arrangement;
import io.knabla.functions.compiler.optimize.pattern.Patterns;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/** What is done to a graph before it is differentiated, and what after. */
public final class Optimizer {
    private Optimizer() {}

    /** Chains that exporters write for one operation become that operation, whose derivative is cheap. */
    public static Dag prepare(Dag dag) {
        return Patterns.apply(dag);
    }

    /**
     * Products of one input become one where that pays.
     *
     * @param kept values that must stay themselves, as those that gradients are asked for
     */
    public static Dag merge(Dag prepared, Collection<Value> kept) {
        return Merging.apply(prepared, kept);
    }

    /** Keeps everything that derivatives need. */
    public static Finished finish(Dag derived) {
        Dag dag = RaceFreeScatter.of(Simplification.apply(derived));
        Arrangement arrangement = Arrangement.of(dag);
        return new Finished(
                Exporter.write(dag, arrangement.all(dag)),
                arrangement.timetable().peak(),
                arrangement.reason());
    }

    /**
     * Computes activations again instead of keeping them all. Needs nothing of the engine: no optimisation of it can
     * undo that.
     *
     * @param plain outputs that the model without derivatives gives, the loss among them
     * @param mostBytes that values between nodes may take; without it as few as one more forward pass buys
     */
    public static Finished recompute(Dag derived, Collection<String> plain, OptionalLong mostBytes) {
        Dag dag = RaceFreeScatter.of(Simplification.apply(derived));
        List<Value> results = plain.stream().map(dag.outputs()::get).toList();
        Recomputing.Plan plan = Recomputing.plan(dag, results, mostBytes);
        return new Finished(
                Exporter.write(plan.dag(), plan.arrangement().all(plan.dag())), plan.peakAfter(), plan.reason());
    }
}
