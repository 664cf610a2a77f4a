package io.knabla.controller.simulate.warm;

import io.knabla.controller.simulate.warm.Event.Kind;
import io.knabla.controller.simulate.warm.baseline.LayerPolicy;
import io.knabla.controller.simulate.warm.baseline.LayerPolicy.Layer;
import io.knabla.controller.simulate.warm.trace.FunctionTrace;
import io.knabla.controller.warm.policy.Decision;
import io.knabla.controller.warm.policy.GreedyDual;
import io.knabla.controller.warm.policy.WarmPolicy;
import io.knabla.controller.warm.policy.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Replays functions under one policy, event by event. A start delays its request for the caller, but not the times of
 * the trace: which requests overlap does not depend on the policy.
 */
final class Replay {
    private final ReplayOptions options;
    private final LayerPolicy layers;
    private final long end;
    private final List<SimulatedFunction> functions = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final MemoryMeter meter;
    private final SharedLayers shared;
    private final MemoryBudget budget;
    private long sequence;

    Replay(List<FunctionTrace> traces, WarmPolicy policy, ReplayOptions options, long end) {
        this.options = options;
        this.layers = LayerPolicy.of(policy);
        this.end = end;
        this.meter = new MemoryMeter(options.measureFromMillis(), end);
        this.shared = new SharedLayers();
        this.budget = new MemoryBudget(options.budgetGb(), new GreedyDual());
        for (FunctionTrace trace : traces) {
            functions.add(Simulator.function(trace, policy, options));
        }
    }

    /** The counts of each function, in their order. */
    List<Tally> run() {
        functions.forEach(this::expectArrival);
        for (Event event = events.poll(); event != null && event.time() <= end; event = events.poll()) {
            switch (event.kind()) {
                case END -> ended(event.replica(), event.time());
                case PRE_WARM -> preWarm(event.replica(), event.stamp(), event.time());
                case ARRIVAL -> arrived(event.function(), event.time());
                case REVIEW -> {
                    if (event.replica().stamp == event.stamp()) {
                        decide(event.replica(), event.time());
                    }
                }
                case RELEASE -> {
                    if (event.replica().stamp == event.stamp()) {
                        release(event.replica(), event.time());
                    }
                }
            }
        }
        budget.idle().forEach(replica -> meter.idle(replica, end, false));
        return functions.stream().map(function -> function.tally).toList();
    }

    double peakGb() {
        return budget.peakGb();
    }

    private void expectArrival(SimulatedFunction function) {
        if (function.next < function.trace.size()) {
            add(function.trace.startMillis()[function.next], Kind.ARRIVAL, function, null, 0);
        }
    }

    private void arrived(SimulatedFunction function, long now) {
        int index = function.next++;
        expectArrival(function);
        int count = function.trace.requests()[index];
        long length = function.trace.durationMillis()[index];
        boolean measured = now >= options.measureFromMillis();
        function.tally.requests += measured ? count : 0;
        layers.arrived(now);
        Replica replica = function.free(options.concurrency(), now);
        if (replica == null) {
            replica = start(function, now, measured);
        } else if (replica.readyAt > now) {
            function.tally.coldStart((replica.readyAt - now) / 1e3, measured);
            replica.readyAt = now;
        }
        if (replica == null) {
            function.tally.refused += measured ? 1 : 0;
            return;
        }
        budget.used(function);
        occupy(replica, now);
        meter.busy(function, now, now + length);
        add(now + length, Kind.END, function, replica, 0);
    }

    private void occupy(Replica replica, long now) {
        if (replica.running++ > 0) {
            return;
        }
        SimulatedFunction function = replica.function;
        meter.idle(replica, now, true);
        function.tally.preWarmsUsed += replica.preWarmed && now >= options.measureFromMillis() ? 1 : 0;
        replica.preWarmed = false;
        replica.stamp++;
        function.newWindows(replica.slot);
        function.policy.started(replica.slot, now);
    }

    /** Null if there is no memory. */
    private Replica start(SimulatedFunction function, long now, boolean measured) {
        Layer layer = shared.best();
        Replica taken = layer == null ? null : shared.take(layer);
        if (taken != null) {
            meter.idle(taken, now, true);
            budget.remove(taken);
        }
        double seconds = SharedLayers.missingSeconds(layer, function.start) * function.startFactor();
        boolean busy = function.isBusy();
        Replica replica = new Replica(function, function.lowestFreeSlot(), now);
        boolean admitted = admit(replica, now);
        function.tally.coldStart(seconds, measured);
        function.tally.scaleOut += measured && busy ? 1 : 0;
        function.tally.startingGbSeconds += measured ? seconds * function.start.gb() : 0;
        return admitted ? replica : null;
    }

    private boolean admit(Replica replica, long now) {
        budget.victims(replica.function.start.gb()).forEach(victim -> remove(victim, now));
        if (!budget.fits(replica.function.start.gb())) {
            return false;
        }
        replica.idleSince = now;
        replica.function.add(replica);
        budget.add(replica);
        return true;
    }

    private void ended(Replica replica, long now) {
        if (--replica.running > 0) {
            return;
        }
        replica.idleSince = now;
        SimulatedFunction function = replica.function;
        function.policy.ended(replica.slot, now);
        long minimum = function.policy.minimumKeepMillis();
        if (minimum > 0) {
            add(Window.plus(now, minimum), Kind.REVIEW, function, replica, replica.stamp);
        } else {
            decide(replica, now);
        }
    }

    private void decide(Replica replica, long now) {
        SimulatedFunction function = replica.function;
        Decision decision = function.policy.decide(replica.slot, now);
        long stamp = function.newWindows(replica.slot);
        boolean kept = false;
        for (Window window : decision.windows()) {
            if (window.from() <= now) {
                kept = true;
                releaseAt(window.until(), replica);
            } else {
                plan(window, replica, now, stamp);
            }
        }
        if (!kept) {
            release(replica, now);
        }
    }

    /** A replica of the same number that is ready when the window begins. */
    private void plan(Window window, Replica replica, long now, long stamp) {
        SimulatedFunction function = replica.function;
        long load = Math.round(1e3 * function.start.seconds());
        long begin = Math.max(now, window.from() - load);
        Replica planned = new Replica(function, replica.slot, begin);
        planned.preWarmed = true;
        planned.readyAt = begin + load;
        planned.keptUntil = window.until();
        add(begin, Kind.PRE_WARM, function, planned, stamp);
    }

    private void preWarm(Replica planned, long stamp, long now) {
        SimulatedFunction function = planned.function;
        if (function.isCurrent(planned.slot, stamp) && !function.isTaken(planned.slot) && admit(planned, now)) {
            function.tally.preWarms += now >= options.measureFromMillis() ? 1 : 0;
            releaseAt(planned.keptUntil, planned);
        }
    }

    private void releaseAt(long time, Replica replica) {
        if (time != Window.FOREVER) {
            add(time, Kind.RELEASE, replica.function, replica, replica.stamp);
        }
    }

    private void release(Replica replica, long now) {
        Layer below = replica.layer == null ? Layer.RUNTIME : replica.layer == Layer.RUNTIME ? Layer.SANDBOX : null;
        long keep = below == null ? 0 : layers.keepMillis(below, now);
        remove(replica, now);
        if (keep > 0) {
            Replica lower = new Replica(replica.function, replica.slot, now);
            lower.layer = below;
            shared.add(lower);
            budget.add(lower);
            releaseAt(Window.plus(now, keep), lower);
        }
    }

    /** A replica leaves memory; a model's number becomes free. */
    private void remove(Replica replica, long now) {
        meter.idle(replica, now, false);
        replica.stamp++;
        budget.remove(replica);
        if (replica.layer == null) {
            replica.function.remove(replica);
        } else {
            shared.remove(replica);
        }
    }

    private void add(long time, Kind kind, SimulatedFunction function, Replica replica, long stamp) {
        events.add(new Event(time, kind, sequence++, function, replica, stamp));
    }
}
