package io.knabla.controller.simulate.warm;

import io.knabla.controller.simulate.warm.Event.Kind;
import io.knabla.controller.simulate.warm.trace.FunctionTrace;
import io.knabla.controller.warm.live.KeepWarmTiming;
import io.knabla.controller.warm.live.WarmMemory;
import io.knabla.controller.warm.live.WarmNeed;
import io.knabla.controller.warm.policy.WarmPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Replays requests under a keep-warm policy as the platform carries it out, in rounds: each period,
 * {@link io.knabla.controller.warm.live.LivePolicy} derives each function's need from its policy, {@link WarmMemory}
 * divides the memory, and replicas are started ahead or released. As in {@link Replay}, a start delays its request for
 * the caller, but not the times of the trace. The memory bounds warm replicas only, so no request is refused.
 */
final class PlatformReplay {
    private final ReplayOptions options;
    private final KeepWarmTiming timing;
    private final long idleAfter;
    private final long end;
    private final Map<SimulatedFunction, PlatformFunction> functions = new HashMap<>();
    private final List<PlatformFunction> inOrder = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final MemoryMeter meter;
    private final Optional<WarmMemory> memory;
    private long sequence;
    private double heldGb;
    private double peakGb;

    PlatformReplay(List<FunctionTrace> traces, WarmPolicy policy, ReplayOptions options, long end) {
        this.options = options;
        this.timing = options.platform().orElseThrow().timing();
        this.idleAfter = options.platform().orElseThrow().idleAfter().toMillis();
        this.end = end;
        this.meter = new MemoryMeter(options.measureFromMillis(), end);
        this.memory = options.budgetGb().stream().mapToObj(WarmMemory::new).findFirst();
        for (FunctionTrace trace : traces) {
            var function = new PlatformFunction(Simulator.function(trace, policy, options), options.concurrency());
            functions.put(function.simulated, function);
            inOrder.add(function);
        }
    }

    /** The counts of each function, in their order. */
    List<Tally> run() {
        inOrder.forEach(function -> expectArrival(function.simulated));
        long period = timing.period().toMillis();
        for (long round = period; round <= end; round += period) {
            runUntil(round);
            act(round);
        }
        runUntil(end + 1);
        for (PlatformFunction function : inOrder) {
            function.simulated.idle().forEach(replica -> meter.idle(replica, end, false));
        }
        return inOrder.stream().map(function -> function.simulated.tally).toList();
    }

    double peakGb() {
        return peakGb;
    }

    private void runUntil(long round) {
        while (!events.isEmpty() && events.peek().time() < round) {
            Event event = events.poll();
            if (event.kind() == Kind.ARRIVAL) {
                arrived(functions.get(event.function()), event.time());
            } else {
                ended(event.replica(), event.time());
            }
        }
    }

    private void expectArrival(SimulatedFunction function) {
        if (function.next < function.trace.size()) {
            long at = function.trace.startMillis()[function.next];
            events.add(new Event(at, Kind.ARRIVAL, sequence++, function, null, 0));
        }
    }

    private void arrived(PlatformFunction called, long now) {
        SimulatedFunction function = called.simulated;
        int index = function.next++;
        expectArrival(function);
        boolean measured = now >= options.measureFromMillis();
        function.tally.requests += measured ? function.trace.requests()[index] : 0;
        called.busy.requests(1, now);
        called.lastRequest = now;
        Replica replica = function.free(options.concurrency(), now);
        if (replica == null) {
            replica = start(function, now, measured);
        } else if (replica.readyAt > now) {
            function.tally.coldStart((replica.readyAt - now) / 1e3, measured);
            replica.readyAt = now;
        }
        occupy(replica, now, measured);
        long length = function.trace.durationMillis()[index];
        meter.busy(function, now, now + length);
        events.add(new Event(now + length, Kind.END, sequence++, function, replica, 0));
    }

    private Replica start(SimulatedFunction function, long now, boolean measured) {
        double seconds = function.start.seconds() * function.startFactor();
        function.tally.coldStart(seconds, measured);
        function.tally.scaleOut += measured && function.isBusy() ? 1 : 0;
        function.tally.startingGbSeconds += measured ? seconds * function.start.gb() : 0;
        return add(new Replica(function, function.lowestFreeSlot(), now));
    }

    private Replica add(Replica replica) {
        replica.function.add(replica);
        heldGb += replica.function.start.gb();
        peakGb = Math.max(peakGb, heldGb);
        return replica;
    }

    private void occupy(Replica replica, long now, boolean measured) {
        if (replica.running++ == 0) {
            meter.idle(replica, now, true);
            replica.function.tally.preWarmsUsed += replica.preWarmed && measured ? 1 : 0;
            replica.preWarmed = false;
        }
    }

    private void ended(Replica replica, long now) {
        PlatformFunction function = functions.get(replica.function);
        function.busy.requests(-1, now);
        function.lastRequest = now;
        if (--replica.running == 0) {
            replica.idleSince = now;
        }
    }

    /** One round of decisions about all functions. */
    private void act(long now) {
        Map<String, WarmMemory.Claim> claims = new HashMap<>();
        for (PlatformFunction function : inOrder) {
            boolean began = function.learn(now);
            double seconds = function.simulated.start.seconds();
            memory.filter(_ -> began).ifPresent(budget -> budget.used(function.name(), seconds, function.gb()));
            WarmNeed need = function.policy.need(now, timing.lead(seconds).toMillis(), idleAfter);
            claims.put(function.name(), new WarmMemory.Claim(need, function.gb()));
        }
        Map<String, WarmNeed> divided = memory.isPresent() ? memory.get().divide(claims) : Map.of();
        int starts = 0;
        for (PlatformFunction function : inOrder) {
            WarmNeed need = memory.isPresent()
                    ? divided.get(function.name())
                    : claims.get(function.name()).need();
            if (need.start() <= function.need.start() || ++starts <= timing.mostStarts()) {
                function.need = need;
            }
            startAhead(function, now);
            release(function, now);
        }
    }

    private void startAhead(PlatformFunction function, long now) {
        SimulatedFunction simulated = function.simulated;
        for (int slot = 0; slot < function.need.start(); slot++) {
            if (!simulated.isTaken(slot)) {
                long begin = now + timing.reaction().toMillis();
                var ahead = new Replica(simulated, slot, begin);
                ahead.preWarmed = true;
                ahead.readyAt = begin + Math.round(1e3 * simulated.start.seconds());
                add(ahead);
                simulated.tally.preWarms += now >= options.measureFromMillis() ? 1 : 0;
            }
        }
    }

    /** A replica that no request has used since it was started ahead counts from the function's last request. */
    private void release(PlatformFunction function, long now) {
        for (Replica replica : function.simulated.idle()) {
            long since = replica.preWarmed ? function.lastRequest : replica.idleSince;
            if (replica.slot >= function.need.keep() && now - since >= idleAfter && replica.readyAt <= now) {
                meter.idle(replica, now, false);
                heldGb -= function.gb();
                function.simulated.remove(replica);
            }
        }
    }
}
