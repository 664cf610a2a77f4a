package io.knabla.controller.operator;

import io.knabla.controller.cluster.knative.diagnose.Packaging;
import io.knabla.controller.deploy.Deployment;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.storage.ForeignAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Packages in the background: it may take minutes, and meanwhile neither this function's pods nor
 * other functions may be left alone. Of one function at most one packaging runs; what was wished
 * meanwhile comes after it.
 */
final class Packagings {
    private static final int AT_ONCE = 4;
    private static final Delays MISSING = new Delays(Duration.ofSeconds(10), Duration.ofMinutes(5));
    private static final Delays REFUSED = new Delays(Duration.ofMinutes(1), Duration.ofMinutes(10));
    private static final Delays CROWDED = new Delays(Duration.ofSeconds(2), Duration.ofMinutes(1));
    private static final Delays FAILED = new Delays(Duration.ofSeconds(2), Duration.ofMinutes(5));

    /**
     * @param again after which it is worth another try; empty where only another wish can help
     */
    record Outcome(Packaging packaging, Optional<Instant> again) {}

    /**
     * @param outcome of it; while it runs, what is said meanwhile
     * @param lost which word of a loss it answers, empty for none
     */
    private record Try(
            FunctionResource wish, int number, boolean runs, Outcome outcome, String lost) {
        Try ended(Outcome now) {
            return new Try(wish, number, false, now, lost);
        }

        /** Where requests go makes no version, but may be what a version was refused for. */
        boolean isOf(FunctionResource other) {
            return wish.equals(other)
                    || !runs
                            && isVersion(outcome.packaging())
                            && Wish.sameButTraffic(wish.spec(), other.spec());
        }
    }

    private final Function<FunctionResource, Deployment> deployer;
    private final Executor executor;
    private final Clock clock;
    private final Map<String, Try> tries = new ConcurrentHashMap<>();

    Packagings(Function<FunctionResource, Deployment> deployer, Executor executor, Clock clock) {
        this.deployer = deployer;
        this.executor = executor;
        this.clock = clock;
    }

    /** Few at once, first come, first served: more would only wait inside the deployer, and be sent away. */
    static Executor inTurn() {
        var turn = new Semaphore(AT_ONCE, true);
        return work ->
                Thread.ofVirtual()
                        .name("packaging")
                        .start(
                                () -> {
                                    turn.acquireUninterruptibly();
                                    try {
                                        work.run();
                                    } finally {
                                        turn.release();
                                    }
                                });
    }

    /** How far the wish is; starts what has to be started, after whose end {@code ended} is called. */
    Outcome look(String uid, FunctionResource wish, Runnable ended) {
        Try before = tries.get(uid);
        boolean same = before != null && before.isOf(wish);
        if (before != null && before.runs()) {
            return same
                    ? before.outcome()
                    : waiting("what was wished before is packaged; this comes next");
        }
        if (same && !isDue(before.outcome())) {
            return before.outcome();
        }
        Outcome packaged = waiting("the model is packaged");
        start(
                uid,
                same
                        ? new Try(wish, before.number() + 1, true, packaged, before.lost())
                        : new Try(wish, 1, true, packaged, ""),
                ended);
        return packaged;
    }

    /**
     * Packages once more what was packaged, as the store lost it; what was said of it holds meanwhile.
     *
     * @param word of those who missed it: one is answered once
     */
    void mend(String uid, String word, Runnable ended) {
        Try last = tries.get(uid);
        if (!last.runs() && !last.lost().equals(word)) {
            start(uid, new Try(last.wish(), 1, true, last.outcome(), word), ended);
        }
    }

    /** Takes it that the wish was packaged before, as by the controller that led until now. */
    Outcome known(String uid, FunctionResource wish, Deployment deployment) {
        Outcome outcome = new Outcome(new Packaging.Ended(deployment), Optional.empty());
        tries.putIfAbsent(uid, new Try(wish, 1, false, outcome, ""));
        return outcome;
    }

    static boolean isVersion(Packaging packaging) {
        return packaging instanceof Packaging.Ended(var deployment)
                && (deployment instanceof Deployment.Deployed
                        || deployment instanceof Deployment.Unchanged);
    }

    boolean isNew(String uid) {
        return !tries.containsKey(uid);
    }

    boolean runs(String uid) {
        Try last = tries.get(uid);
        return last != null && last.runs();
    }

    /** Lets the next look start afresh. */
    void forget(String uid) {
        tries.remove(uid);
    }

    private boolean isDue(Outcome outcome) {
        return outcome.again().filter(again -> !clock.instant().isBefore(again)).isPresent();
    }

    private void start(String uid, Try started, Runnable ended) {
        tries.put(uid, started);
        executor.execute(
                () -> {
                    tries.put(uid, started.ended(outcome(started, attempt(started.wish()))));
                    ended.run();
                });
    }

    private Packaging attempt(FunctionResource wish) {
        try {
            return new Packaging.Ended(deployer.apply(wish));
        } catch (RuntimeException outage) {
            return new Packaging.Failed(outage);
        } catch (Error broken) {
            return new Packaging.Failed(new IllegalStateException(broken.toString(), broken));
        }
    }

    private Outcome outcome(Try ended, Packaging packaging) {
        return new Outcome(packaging, delay(ended, packaging).map(clock.instant()::plus));
    }

    private static Optional<Duration> delay(Try ended, Packaging packaging) {
        return switch (packaging) {
            case Packaging.Ended(var deployment) -> delay(ended, deployment);
            case Packaging.Failed _ -> Optional.of(FAILED.after(ended.number()));
            case Packaging.Waiting _, Packaging.Invalid _ -> Optional.empty();
        };
    }

    private static Optional<Duration> delay(Try ended, Deployment deployment) {
        return switch (deployment) {
            case Deployment.Deployed _, Deployment.Unchanged _ -> Optional.empty();
            case Deployment.ModelMissing _ -> Optional.of(MISSING.after(ended.number()));
            case Deployment.Refused _ ->
                    // What lies elsewhere may change, or become readable, without another wish.
                    ForeignAddress.isForeign(ended.wish().spec().model())
                            ? Optional.of(REFUSED.after(ended.number()))
                            : Optional.empty();
            case Deployment.Busy(_, var retryAfter) ->
                    Optional.of(retryAfter.plus(CROWDED.after(ended.number())));
        };
    }

    private static Outcome waiting(String sentence) {
        return new Outcome(new Packaging.Waiting(sentence), Optional.empty());
    }
}
