package io.knabla.controller.simulate.warm;

import io.knabla.controller.simulate.warm.trace.FunctionTrace;
import io.knabla.controller.simulate.warm.trace.Trace;
import io.knabla.controller.warm.policy.FixedPolicy;
import io.knabla.controller.warm.policy.StartCost;
import io.knabla.controller.warm.policy.WarmPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * Replays the same traces under several policies.
 *
 * @param name of the traces together
 * @param traces one of each seed
 */
public record Comparison(String name, List<Trace> traces, ReplayOptions options) {
    public Comparison {
        traces = List.copyOf(traces);
    }

    /** A policy at one value of its knob. */
    public ResultRow row(PolicyName policy, double value) {
        List<ReplayResult> runs = new ArrayList<>();
        for (int seed = 0; seed < traces.size(); seed++) {
            runs.add(run(traces.get(seed), policy, value, options.withSeed(seed + 1)));
        }
        return ResultRow.of(policy, name, value, runs);
    }

    /** A policy at all values of its knob. */
    public List<ResultRow> curve(PolicyName policy) {
        return policy.curve().stream().map(value -> row(policy, value)).toList();
    }

    private static ReplayResult run(Trace trace, PolicyName policy, double value, ReplayOptions options) {
        WarmPolicy made =
                policy == PolicyName.Omniscient ? new Omniscient(trace, options.concurrency()) : policy.at(value);
        boolean ownBudget =
                policy == PolicyName.GreedyDual && options.budgetGb().isEmpty();
        return Simulator.replay(trace, made, ownBudget ? options.withBudget(share(value, trace, options)) : options);
    }

    /** A share of what all replicas would hold if none were released, but room for one of each function's size. */
    private static double share(double share, Trace trace, ReplayOptions options) {
        double peak = Simulator.replay(trace, FixedPolicy.always(), options).peakGb();
        double largest = trace.functions().stream()
                .map(FunctionTrace::memoryGb)
                .mapToDouble(
                        gb -> StartCost.measured(gb.orElse(options.replicaGb())).gb())
                .max()
                .orElse(options.replicaGb());
        return Math.max(share * peak, largest);
    }
}
