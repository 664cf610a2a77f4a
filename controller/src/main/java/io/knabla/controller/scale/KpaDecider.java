package io.knabla.controller.scale;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Computes the replica count of a version with the formulas of Knative's pod autoscaler (KPA). Its excess burst
 * capacity is left out: it only decides whether the activator stays in the path, and the local gateway always does.
 */
public final class KpaDecider {
    private KpaDecider() {}

    /**
     * Measurements of one version at one time.
     *
     * @param stable average concurrency over the stable window
     * @param panic average concurrency over the panic window
     * @param ready replicas that answer
     * @param reachable whether traffic is routed here; otherwise only requests that name the version arrive
     * @param idleFor time without any request
     */
    public record Signal(Instant now, double stable, double panic, int ready, boolean reachable, Duration idleFor) {}

    /**
     * State that is kept between two decisions.
     *
     * @param panicSince when load last exceeded the panic threshold; empty outside panic mode
     * @param panicMaximum highest replica count of this panic
     * @param recent recommendations within the scale-down delay, oldest first
     * @param started whether {@code initialScale} has been reached once
     */
    public record Memory(Optional<Instant> panicSince, int panicMaximum, List<Recommendation> recent, boolean started) {
        public Memory {
            recent = List.copyOf(recent);
        }

        /** For a version that has never run. */
        public static Memory fresh() {
            return new Memory(Optional.empty(), 0, List.of(), false);
        }

        /**
         * For an autoscaler that restarts while replicas run. If there are several, the load that caused them is
         * unknown: it panics rather than scale down blindly.
         */
        public static Memory resumed(Instant now, int ready) {
            return new Memory(ready > 1 ? Optional.of(now) : Optional.empty(), ready, List.of(), true);
        }
    }

    /** Replica count recommended at one time. */
    public record Recommendation(Instant at, int replicas) {}

    /** Rule that determined a decision. */
    public enum ScaleReason {
        FOLLOWING_LOAD,
        PANICKING,
        RISING_AT_MAX_RATE,
        FALLING_AT_MAX_RATE,
        DELAYING_SCALE_DOWN,
        WAITING_OUT_IDLE,
        IDLE,
        NO_TRAFFIC,
        PROVING,
        AT_MINIMUM,
        AT_MAXIMUM
    }

    /** @param reason {@code why} with its numbers, for people */
    public record Decision(int replicas, ScaleReason why, String reason, Memory next) {}

    public static Decision decide(KpaPolicy policy, Signal signal, Memory memory) {
        DesiredScale desired = followLoad(policy, signal);
        Panic panic = Panic.after(policy, signal, memory, desired);
        ScaleTarget answer = panic.answer(desired);

        Optional<Duration> delay = policy.scaleDownDelay().filter(any -> signal.reachable());
        List<Recommendation> recent = recent(signal.now(), delay, memory.recent(), answer.replicas());
        int highest = recent.stream().mapToInt(Recommendation::replicas).max().orElse(0);
        if (highest > answer.replicas()) {
            answer = new ScaleTarget(highest, ScaleReason.DELAYING_SCALE_DOWN);
        }
        answer = scaleToZeroWhenIdle(policy, signal, answer);

        boolean started = memory.started() || signal.ready() >= policy.initialScale();
        answer = bound(policy, signal, started, answer);
        return new Decision(
                answer.replicas(),
                answer.why(),
                explain(policy, signal, answer, desired),
                new Memory(panic.since(), panic.maximum(), recent, started));
    }

    /** @param wantedPanic demand of the panic window before rate limits; decides about panic mode */
    private record DesiredScale(int stable, int panic, int wantedPanic, ScaleReason why) {}

    private record ScaleTarget(int replicas, ScaleReason why) {}

    private static DesiredScale followLoad(KpaPolicy policy, Signal signal) {
        int ready = Math.max(1, signal.ready());
        double up = Math.ceil(policy.maxScaleUpRate() * ready);
        double down = signal.reachable() ? Math.floor(ready / policy.maxScaleDownRate()) : 0;
        double wantedStable = Math.ceil(signal.stable() / policy.goal());
        double wantedPanic = Math.ceil(signal.panic() / policy.goal());
        ScaleReason why = ScaleReason.FOLLOWING_LOAD;
        if (wantedStable > up || wantedPanic > up) {
            why = ScaleReason.RISING_AT_MAX_RATE;
        } else if (wantedStable < down) {
            why = ScaleReason.FALLING_AT_MAX_RATE;
        }
        return new DesiredScale(
                activated(policy, wantedStable, Math.clamp(wantedStable, down, up)),
                activated(policy, wantedPanic, Math.clamp(wantedPanic, down, up)),
                (int) Math.min(Integer.MAX_VALUE, wantedPanic),
                why);
    }

    private static int activated(KpaPolicy policy, double wanted, double bounded) {
        int replicas = (int) Math.min(Integer.MAX_VALUE, bounded);
        return wanted > 0 ? Math.max(replicas, policy.activationScale()) : replicas;
    }

    private record Panic(Optional<Instant> since, int maximum) {
        static Panic after(KpaPolicy policy, Signal signal, Memory memory, DesiredScale desired) {
            double ready = Math.max(1, signal.ready());
            int wanted = Math.max(desired.stable(), desired.panic());
            if (desired.wantedPanic() / ready >= policy.panicThreshold()) {
                boolean renewed = memory.panicSince().isPresent();
                return new Panic(Optional.of(signal.now()), renewed ? Math.max(memory.panicMaximum(), wanted) : wanted);
            }
            boolean lasts = memory.panicSince()
                    .map(since -> since.plus(policy.stableWindow()))
                    .filter(signal.now()::isBefore)
                    .isPresent();
            return lasts
                    ? new Panic(memory.panicSince(), Math.max(memory.panicMaximum(), wanted))
                    : new Panic(Optional.empty(), 0);
        }

        ScaleTarget answer(DesiredScale desired) {
            return since.isPresent()
                    ? new ScaleTarget(maximum, ScaleReason.PANICKING)
                    : new ScaleTarget(desired.stable(), desired.why());
        }
    }

    private static List<Recommendation> recent(
            Instant now, Optional<Duration> delay, List<Recommendation> before, int replicas) {
        if (delay.isEmpty()) {
            return List.of();
        }
        Instant oldest = now.minus(delay.get());
        List<Recommendation> recent = new ArrayList<>();
        for (Recommendation answer : before) {
            if (!answer.at().isBefore(oldest)) {
                recent.add(answer);
            }
        }
        recent.add(new Recommendation(now, replicas));
        return recent;
    }

    /** Keeps the last replica until there was no request for {@code idleAfter}, then scales to zero. */
    private static ScaleTarget scaleToZeroWhenIdle(KpaPolicy policy, Signal signal, ScaleTarget answer) {
        boolean idle = signal.idleFor().compareTo(policy.idleAfter()) >= 0;
        if (idle && !signal.idleFor().isZero()) {
            return new ScaleTarget(0, ScaleReason.IDLE);
        }
        if (answer.replicas() > 0) {
            return answer;
        }
        if (!signal.idleFor().isZero() && signal.ready() > 0) {
            return new ScaleTarget(1, ScaleReason.WAITING_OUT_IDLE);
        }
        return answer;
    }

    private static ScaleTarget bound(KpaPolicy policy, Signal signal, boolean started, ScaleTarget answer) {
        ScaleTarget bounded = answer;
        if (!signal.reachable() && bounded.replicas() == 0) {
            bounded = new ScaleTarget(0, ScaleReason.NO_TRAFFIC);
        }
        if (signal.reachable() && bounded.replicas() < policy.min()) {
            bounded = new ScaleTarget(policy.min(), ScaleReason.AT_MINIMUM);
        }
        if (!started && bounded.replicas() < policy.initialScale()) {
            bounded = new ScaleTarget(policy.initialScale(), ScaleReason.PROVING);
        }
        return bounded.replicas() > policy.max() ? new ScaleTarget(policy.max(), ScaleReason.AT_MAXIMUM) : bounded;
    }

    private static String explain(KpaPolicy policy, Signal signal, ScaleTarget answer, DesiredScale desired) {
        String load = "%.2f requests at once over %d s (%.2f over %d s), %.2f wanted per replica, %d ready"
                .formatted(
                        signal.stable(),
                        policy.stableWindow().toSeconds(),
                        signal.panic(),
                        policy.panicWindow().toSeconds(),
                        policy.goal(),
                        signal.ready());
        return switch (answer.why()) {
            case FOLLOWING_LOAD -> load;
            case PANICKING -> "panic mode, the highest count is kept: " + load;
            case RISING_AT_MAX_RATE -> "rising no faster than x%s: %s".formatted(policy.maxScaleUpRate(), load);
            case FALLING_AT_MAX_RATE ->
                "falling no faster than 1/%s, wanted %d: %s"
                        .formatted(policy.maxScaleDownRate(), desired.stable(), load);
            case DELAYING_SCALE_DOWN ->
                "the highest count of the last %s is kept: %s"
                        .formatted(policy.scaleDownDelay().orElse(Duration.ZERO), load);
            case WAITING_OUT_IDLE ->
                "idle for %d s of %d s"
                        .formatted(
                                signal.idleFor().toSeconds(), policy.idleAfter().toSeconds());
            case IDLE -> "no request for %d s".formatted(signal.idleFor().toSeconds());
            case NO_TRAFFIC -> "no traffic is sent to this version";
            case PROVING -> "started once to prove that it works";
            case AT_MINIMUM -> "scaling.min or keepWarm is %d".formatted(policy.min());
            case AT_MAXIMUM -> "scaling.max is %d: %s".formatted(policy.max(), load);
        };
    }
}
