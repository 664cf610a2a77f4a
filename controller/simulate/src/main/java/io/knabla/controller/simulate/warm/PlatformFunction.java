package io.knabla.controller.simulate.warm;

import io.knabla.controller.warm.live.BusyReplicas;
import io.knabla.controller.warm.live.LivePolicy;
import io.knabla.controller.warm.live.WarmNeed;
import io.knabla.controller.warm.policy.Reason;
import java.util.List;

/** A function in a {@link PlatformReplay}, with what the platform knows of it: requests in flight, policy, need. */
final class PlatformFunction {
    final SimulatedFunction simulated;
    final BusyReplicas busy = new BusyReplicas();
    final LivePolicy policy;
    WarmNeed need = WarmNeed.none(Reason.TOO_FEW_OBSERVATIONS);

    /** When its last request ended, or began if it runs. */
    long lastRequest;

    PlatformFunction(SimulatedFunction simulated, int concurrency) {
        this.simulated = simulated;
        this.policy = new LivePolicy(simulated.policy);
        busy.capacity(concurrency);
    }

    String name() {
        return simulated.trace.name();
    }

    double gb() {
        return simulated.start.gb();
    }

    /** Learns from the requests since the last call; whether any replica became busy. */
    boolean learn(long now) {
        List<BusyReplicas.Change> changes = busy.take(now);
        changes.forEach(policy::changed);
        return changes.stream().anyMatch(BusyReplicas.Change::busy);
    }
}
