package io.knabla.controller.simulate.warm;

import io.knabla.controller.simulate.warm.baseline.LayerPolicy;
import io.knabla.controller.simulate.warm.trace.FunctionTrace;
import io.knabla.controller.simulate.warm.trace.Trace;
import io.knabla.controller.warm.policy.FunctionProfile;
import io.knabla.controller.warm.policy.StartCost;
import io.knabla.controller.warm.policy.WarmPolicy;
import java.util.List;

/** Replays a trace under a policy. The same trace, policy and options give the same result. */
public final class Simulator {
    private Simulator() {}

    /** @throws IllegalArgumentException for a policy of layers as the platform acts, which has none */
    public static ReplayResult replay(Trace trace, WarmPolicy policy, ReplayOptions options) {
        boolean layered = LayerPolicy.of(policy) != LayerPolicy.NONE;
        if (layered && options.platform().isPresent()) {
            throw new IllegalArgumentException("the platform keeps no layers of replicas");
        }
        boolean limited = options.platform()
                .map(platform -> platform.timing().mostStarts() < Integer.MAX_VALUE)
                .orElse(false);
        if (options.budgetGb().isPresent() || layered || limited) {
            return replay(trace.functions(), policy, options, trace.endMillis());
        }
        List<ReplayResult> alone = trace.functions().parallelStream()
                .map(function -> replay(List.of(function), policy, options, trace.endMillis()))
                .toList();
        return new ReplayResult(
                alone.stream().flatMap(one -> one.functions().stream()).toList(),
                alone.stream().mapToDouble(ReplayResult::peakGb).sum());
    }

    private static ReplayResult replay(
            List<FunctionTrace> functions, WarmPolicy policy, ReplayOptions options, long end) {
        if (options.platform().isPresent()) {
            var platform = new PlatformReplay(functions, policy, options, end);
            return new ReplayResult(platform.run(), platform.peakGb());
        }
        var published = new Replay(functions, policy, options, end);
        return new ReplayResult(published.run(), published.peakGb());
    }

    static SimulatedFunction function(FunctionTrace trace, WarmPolicy policy, ReplayOptions options) {
        StartCost start = StartCost.measured(trace.memoryGb().orElse(options.replicaGb()));
        return new SimulatedFunction(
                trace, policy.forFunction(FunctionProfile.of(trace.name(), start)), start, options);
    }
}
