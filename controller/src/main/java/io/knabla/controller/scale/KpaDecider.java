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
    public record Memory(Optional<Instant> panicking, int panicMaximum, List<Answer> recent, boolean started) {
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
    public record Answer(Instant at, int replicas) {}

    /** Rule that determined a decision. */
    public enum Why {
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
    public record Decision(int replicas, Why why, String reason, Memory next) {}

    public static Decision decide(KpaPolicy policy, Signal signal, Memory memory) {
        Wish wish = followLoad(policy, signal);
        Panic panic = Panic.after(policy, signal, memory, wish);
        Answered answer = panic.answer(wish);

        Optional<Duration> delay = policy.scaleDownDelay().filter(any -> signal.reachable());
        List<Answer> recent = recent(signal.now(), delay, memory.recent(), answer.replicas());
        int highest = recent.stream().mapToInt(Answer::replicas).max().orElse(0);
        if (highest > answer.replicas()) {
            answer = new Answered(highest, Why.DELAYING_SCALE_DOWN);
        }
        answer = sleep(policy, signal, answer);

        boolean started = memory.started() || signal.ready() >= policy.initialScale();
        answer = bound(policy, signal, started, answer);
        return new Decision(
                answer.replicas(),
                answer.why(),
                explain(policy, signal, answer, wish),
                new Memory(panic.since(), panic.maximum(), recent, started));
    }

    /** @param wantedPanic demand of the panic window before rate limits; decides about panic mode */
    private record Wish(int stable, int panic, int wantedPanic, Why why) {}

    private record Answered(int replicas, Why why) {}

    private static Wish followLoad(KpaPolicy policy, Signal signal) {
        int ready = Math.max(1, signal.ready());
        double up = Math.ceil(policy.maxScaleUpRate() * ready);
        double down = signal.reachable() ? Math.floor(ready / policy.maxScaleDownRate()) : 0;
        double wantedStable = Math.ceil(signal.stable() / policy.goal());
        double wantedPanic = Math.ceil(signal.panic() / policy.goal());
        Why why = Why.FOLLOWING_LOAD;
        if (wantedStable > up || wantedPanic > up) {
            why = Why.RISING_AT_MAX_RATE;
        } else if (wantedStable < down) {
            why = Why.FALLING_AT_MAX_RATE;
        }
        return new Wish(
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
        static Panic after(KpaPolicy policy, Signal signal, Memory memory, Wish wish) {
            double ready = Math.max(1, signal.ready());
            int wanted = Math.max(wish.stable(), wish.panic());
            if (wish.wantedPanic() / ready >= policy.panicThreshold()) {
                boolean renewed = memory.panicking().isPresent();
                return new Panic(Optional.of(signal.now()), renewed ? Math.max(memory.panicMaximum(), wanted) : wanted);
            }
            boolean lasts = memory.panicking()
                    .map(since -> since.plus(policy.stableWindow()))
                    .filter(signal.now()::isBefore)
                    .isPresent();
            return lasts
                    ? new Panic(memory.panicking(), Math.max(memory.panicMaximum(), wanted))
                    : new Panic(Optional.empty(), 0);
        }

        Answered answer(Wish wish) {
            return since.isPresent() ? new Answered(maximum, Why.PANICKING) : new Answered(wish.stable(), wish.why());
        }
    }

    private static List<Answer> recent(Instant now, Optional<Duration> delay, List<Answer> before, int replicas) {
        if (delay.isEmpty()) {
            return List.of();
        }
        Instant oldest = now.minus(delay.get());
        List<Answer> recent = new ArrayList<>();
        for (Answer answer : before) {
            if (!answer.at().isBefore(oldest)) {
                recent.add(answer);
            }
        }
        recent.add(new Answer(now, replicas));
        return recent;
    }

    /** Keeps the last replica until there was no request for {@code idleAfter}, then scales to zero. */
    private static Answered sleep(KpaPolicy policy, Signal signal, Answered answer) {
        boolean idle = signal.idleFor().compareTo(policy.idleAfter()) >= 0;
        if (idle && !signal.idleFor().isZero()) {
            return new Answered(0, Why.IDLE);
        }
        if (answer.replicas() > 0) {
            return answer;
        }
        if (!signal.idleFor().isZero() && signal.ready() > 0) {
            return new Answered(1, Why.WAITING_OUT_IDLE);
        }
        return answer;
    }

    private static Answered bound(KpaPolicy policy, Signal signal, boolean started, Answered answer) {
        Answered bounded = answer;
        if (!signal.reachable() && bounded.replicas() == 0) {
            bounded = new Answered(0, Why.NO_TRAFFIC);
        }
        if (signal.reachable() && bounded.replicas() < policy.min()) {
            bounded = new Answered(policy.min(), Why.AT_MINIMUM);
        }
        if (!started && bounded.replicas() < policy.initialScale()) {
            bounded = new Answered(policy.initialScale(), Why.PROVING);
        }
        return bounded.replicas() > policy.max() ? new Answered(policy.max(), Why.AT_MAXIMUM) : bounded;
    }

    private static String explain(KpaPolicy policy, Signal signal, Answered answer, Wish wish) {
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
                "falling no faster than 1/%s, wanted %d: %s".formatted(policy.maxScaleDownRate(), wish.stable(), load);
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
            case AT_MINIMUM -> "scaling.min is %d".formatted(policy.min());
            case AT_MAXIMUM -> "scaling.max is %d: %s".formatted(policy.max(), load);
        };
    }
}
