package io.knabla.controller.warm.simulate;

import io.knabla.controller.warm.policy.FunctionProfile;
import io.knabla.controller.warm.policy.LayerPolicy;
import io.knabla.controller.warm.policy.StartCost;
import io.knabla.controller.warm.policy.WarmPolicy;
import io.knabla.controller.warm.trace.FunctionTrace;
import io.knabla.controller.warm.trace.Trace;
import java.util.List;

/** Replays a trace under a policy. The same trace, policy and options give the same result. */
public final class Simulator {
    private Simulator() {}

    public static ReplayResult replay(Trace trace, WarmPolicy policy, ReplayOptions options) {
        boolean together = options.budgetGb().isPresent() || policy.layers() != LayerPolicy.NONE;
        if (together) {
            Replay replay = new Replay(trace.functions(), policy, options, trace.endMillis());
            return new ReplayResult(replay.run(), replay.peakGb());
        }
        List<ReplayResult> alone = trace.functions().parallelStream()
                .map(function -> {
                    Replay replay = new Replay(List.of(function), policy, options, trace.endMillis());
                    return new ReplayResult(replay.run(), replay.peakGb());
                })
                .toList();
        return new ReplayResult(
                alone.stream().flatMap(one -> one.functions().stream()).toList(),
                alone.stream().mapToDouble(ReplayResult::peakGb).sum());
    }

    static SimulatedFunction function(FunctionTrace trace, WarmPolicy policy, ReplayOptions options) {
        StartCost start = StartCost.measured(trace.memoryGb().orElse(options.replicaGb()));
        return new SimulatedFunction(
                trace, policy.forFunction(FunctionProfile.of(trace.name(), start)), start, options);
    }
}
