package io.knabla.controller.simulate.spot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Requests that wait in one queue for replicas. A request whose replica is lost goes back to the head of the queue and
 * starts anew; one that is not answered within the timeout has failed. Times are milliseconds since the trace's start.
 */
final class RequestQueue {
    private static final class Request {
        final long arrivedAt;
        final long service;
        boolean retried;

        Request(long arrivedAt, long service) {
            this.arrivedAt = arrivedAt;
            this.service = service;
        }
    }

    private static final class Slot {
        final Instance instance;
        Request request;
        long doneAt = Long.MAX_VALUE;

        Slot(Instance instance) {
            this.instance = instance;
        }
    }

    private final Workload workload;
    private final long timeout;
    private final SplittableRandom random;
    private final Deque<Request> waiting = new ArrayDeque<>();
    private final List<Slot> slots = new ArrayList<>();
    private final Latencies latencies;
    private long now;
    private long nextArrival;
    private int turn;
    private long failed;
    private long retried;
    private long arrived;

    RequestQueue(Workload workload, long seed) {
        this.workload = workload;
        this.timeout = workload.timeout().toMillis();
        this.random = new SplittableRandom(seed);
        this.latencies = new Latencies(timeout);
        this.nextArrival = arrivalAfter(0);
    }

    private long exponential(double mean) {
        return Math.max(1, (long) (-mean * Math.log(1 - random.nextDouble())));
    }

    /** A Poisson process whose rate changes with time; {@code Long.MAX_VALUE} if no request follows. */
    private long arrivalAfter(long time) {
        double expected = -Math.log(1 - random.nextDouble());
        long from = time;
        while (true) {
            double perMilli = workload.perSecond().at(from) / 1000;
            long until = workload.perSecond().nextAfter(from);
            if (until == Long.MAX_VALUE && perMilli == 0) {
                return Long.MAX_VALUE;
            }
            if (until == Long.MAX_VALUE || expected <= perMilli * (until - from)) {
                return from + Math.max(1, (long) (expected / perMilli));
            }
            expected -= perMilli * (until - from);
            from = until;
        }
    }

    void add(Instance instance) {
        for (int i = 0; i < workload.concurrency(); i++) {
            slots.add(new Slot(instance));
        }
        dispatch();
    }

    /** Takes a replica away; requests that it works on are retried. */
    void remove(Instance instance) {
        for (Slot slot : slots) {
            if (slot.instance == instance && slot.request != null) {
                retried += slot.request.retried ? 0 : 1;
                slot.request.retried = true;
                waiting.addFirst(slot.request);
            }
        }
        slots.removeIf(slot -> slot.instance == instance);
        dispatch();
    }

    boolean isBusy(Instance instance) {
        return slots.stream().anyMatch(slot -> slot.instance == instance && slot.request != null);
    }

    /** Simulates until this time. */
    void advance(long until) {
        while (true) {
            Slot first = firstDone();
            long done = first == null ? Long.MAX_VALUE : first.doneAt;
            if (Math.min(done, nextArrival) >= until) {
                break;
            }
            if (done <= nextArrival) {
                now = done;
                complete(first);
            } else {
                now = nextArrival;
                arrive();
            }
            dispatch();
        }
        now = until;
        dispatch();
    }

    private Slot firstDone() {
        Slot first = null;
        for (Slot slot : slots) {
            if (slot.request != null && (first == null || slot.doneAt < first.doneAt)) {
                first = slot;
            }
        }
        return first;
    }

    private void complete(Slot slot) {
        long took = now - slot.request.arrivedAt;
        if (took >= timeout) {
            failed++;
        }
        latencies.add(Math.min(took, timeout));
        slot.request = null;
        slot.doneAt = Long.MAX_VALUE;
    }

    private void arrive() {
        arrived++;
        waiting.addLast(new Request(now, exponential(workload.meanService().toMillis())));
        nextArrival = arrivalAfter(now);
    }

    private void dispatch() {
        while (!waiting.isEmpty()) {
            if (now - waiting.getFirst().arrivedAt >= timeout) {
                waiting.removeFirst();
                failed++;
                latencies.add(timeout);
                continue;
            }
            Slot idle = nextIdle();
            if (idle == null) {
                return;
            }
            idle.request = waiting.removeFirst();
            idle.doneAt = Math.min(now + idle.request.service, idle.request.arrivedAt + timeout);
        }
    }

    private Slot nextIdle() {
        for (int i = 0; i < slots.size(); i++) {
            Slot slot = slots.get((turn + i) % slots.size());
            if (slot.request == null && slot.instance.routed) {
                turn = (turn + i + 1) % slots.size();
                return slot;
            }
        }
        return null;
    }

    RequestCounts counts() {
        return new RequestCounts(arrived, failed, retried, latencies.quantile(0.5), latencies.quantile(0.99));
    }
}
