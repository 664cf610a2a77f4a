package io.knabla.controller.local.liveness;

import io.knabla.controller.local.liveness.MissedProbes.Verdict;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Probes the health of one ready replica until it ends: periodically, and at once after a request that it did not
 * answer. One probe runs at a time.
 */
public final class LivenessProbes {
    private final ProbedReplica replica;
    private final LivenessSettings settings;
    private final ScheduledExecutorService timers;
    private final LongSupplier nanos;

    private MissedProbes missed = MissedProbes.NONE;
    private boolean running;

    /** Number of the only scheduled probe that may run: an immediate one replaces the periodic one. */
    private long next;

    /** @param timers only starts probes, each on a virtual thread */
    public LivenessProbes(
            ProbedReplica replica, LivenessSettings settings, ScheduledExecutorService timers, LongSupplier nanos) {
        this.replica = replica;
        this.settings = settings;
        this.timers = timers;
        this.nanos = nanos;
    }

    public void start() {
        execute(() -> schedule(settings.period()));
    }

    /** Routes around the replica until it answers a probe, which is sent now. */
    public void suspect() {
        execute(() -> {
            if (replica.probed()) {
                replica.unresponsive("a request to it was not answered");
                if (!running) {
                    schedule(Duration.ZERO);
                }
            }
        });
    }

    /** Never on the caller's thread, which may hold locks that the replica's listeners take too. */
    private void execute(Runnable task) {
        try {
            timers.execute(() -> {
                synchronized (this) {
                    task.run();
                }
            });
        } catch (RejectedExecutionException closed) {
            // The cluster is closing.
        }
    }

    private void schedule(Duration delay) {
        long number = ++next;
        long due = nanos.getAsLong() + delay.toNanos();
        try {
            timers.schedule(
                    () -> Thread.ofVirtual().name("health-probe").start(() -> probe(number, due)),
                    delay.toNanos(),
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // The cluster is closing.
        }
    }

    private void probe(long number, long due) {
        synchronized (this) {
            if (number != next || !replica.probed()) {
                return;
            }
            running = true;
        }
        ProbeResult result = result(due);
        synchronized (this) {
            running = false;
            missed = missed.after(result);
            if (act(result)) {
                schedule(settings.period().minusNanos(nanos.getAsLong() - due));
            }
        }
    }

    private ProbeResult result(long due) {
        CpuTimes before = replica.cpuTimes();
        HealthProbe.Answer answer = HealthProbe.ask(replica.address(), replica.token(), settings.timeout());
        return switch (answer) {
            case HEALTHY -> ProbeResult.ANSWERED;
            case UNHEALTHY -> ProbeResult.STUCK;
            case NONE -> {
                Duration late = Duration.ofNanos(nanos.getAsLong() - due).minus(settings.timeout());
                if (late.compareTo(settings.tolerance()) > 0) {
                    yield ProbeResult.UNDECIDED;
                }
                yield isStalled(replica.cpuTimes().since(before)) ? ProbeResult.STALLED : ProbeResult.BUSY;
            }
        };
    }

    /**
     * A process that waits for a CPU most of the time is starved by others: threads that hang wake up for moments only.
     */
    private boolean isStalled(CpuTimes meanwhile) {
        return meanwhile.used().compareTo(settings.busyCpu()) < 0
                && meanwhile.waited().compareTo(settings.timeout().dividedBy(2)) < 0;
    }

    /** Whether it is probed further. */
    private boolean act(ProbeResult result) {
        if (result == ProbeResult.UNDECIDED) {
            return true;
        }
        return switch (missed.verdict(settings)) {
            case Verdict.Healthy() -> {
                replica.responsive();
                yield true;
            }
            case Verdict.Undecided() -> true;
            case Verdict.RouteAround(String reason) -> {
                replica.unresponsive(reason);
                yield true;
            }
            case Verdict.Kill(String reason) -> {
                replica.killHanging(reason);
                yield false;
            }
        };
    }
}
