package io.knabla.controller.simulate.warm;

import io.knabla.controller.simulate.warm.trace.FunctionTrace;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.StartCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A function in a replay: its trace, its policy, and its replicas by number. */
final class SimulatedFunction {
    final FunctionTrace trace;
    final FunctionPolicy policy;
    final StartCost start;
    final Tally tally = new Tally();
    int next;
    private final List<Replica> replicas = new ArrayList<>();
    private final SplittableRandom random;
    private final double spread;
    private long[] windows = new long[4];

    SimulatedFunction(FunctionTrace trace, FunctionPolicy policy, StartCost start, ReplayOptions options) {
        this.trace = trace;
        this.policy = policy;
        this.start = start;
        this.spread = options.startSpread();
        this.random = new SplittableRandom(
                options.seed() ^ (0x9E3779B97F4A7C15L * trace.name().hashCode()));
    }

    /** The ready or starting replica of the lowest number with room for a request; null if there is none. */
    Replica free(int concurrency, long now) {
        Replica starting = null;
        for (Replica replica : replicas) {
            if (replica != null && replica.running < concurrency) {
                if (replica.readyAt <= now) {
                    return replica;
                }
                starting = starting == null ? replica : starting;
            }
        }
        return starting;
    }

    boolean isBusy() {
        return replicas.stream().anyMatch(replica -> replica != null && replica.running > 0);
    }

    /** Its replicas without a request. */
    List<Replica> idle() {
        return replicas.stream()
                .filter(replica -> replica != null && replica.running == 0)
                .toList();
    }

    int lowestFreeSlot() {
        int slot = replicas.indexOf(null);
        return slot < 0 ? replicas.size() : slot;
    }

    boolean isTaken(int slot) {
        return slot < replicas.size() && replicas.get(slot) != null;
    }

    boolean hasOtherReplicas(Replica than) {
        return replicas.stream().anyMatch(replica -> replica != null && replica != than);
    }

    void add(Replica replica) {
        while (replicas.size() <= replica.slot) {
            replicas.add(null);
        }
        replicas.set(replica.slot, replica);
    }

    void remove(Replica replica) {
        replicas.set(replica.slot, null);
    }

    /** Voids the windows that were decided for a replica number. */
    long newWindows(int slot) {
        if (slot >= windows.length) {
            windows = Arrays.copyOf(windows, 2 * slot);
        }
        return ++windows[slot];
    }

    boolean isCurrent(int slot, long stamp) {
        return windows[slot] == stamp;
    }

    /** The factor on the seconds of one start: log-normal with mean 1. */
    double startFactor() {
        return spread == 0 ? 1 : Math.exp(spread * random.nextGaussian() - spread * spread / 2);
    }
}
