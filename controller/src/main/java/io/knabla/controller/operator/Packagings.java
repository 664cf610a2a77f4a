package io.knabla.controller.operator;

import io.knabla.controller.cluster.knative.diagnose.Packaging;
import io.knabla.controller.deploy.Deployment;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.storage.ForeignAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Packages in the background: it may take minutes, and meanwhile neither this function's pods nor
 * other functions may be left alone. Of one function at most one packaging runs; what was wished
 * meanwhile comes after it.
 */
final class Packagings {
    private static final String PACKAGED = "the model is packaged";

    private static final int AT_ONCE = 4;
    private static final Delays MISSING = new Delays(Duration.ofSeconds(10), Duration.ofMinutes(5));
    private static final Delays REFUSED = new Delays(Duration.ofMinutes(1), Duration.ofMinutes(10));
    private static final Delays CROWDED = new Delays(Duration.ofSeconds(2), Duration.ofMinutes(1));
    private static final Delays FAILED = new Delays(Duration.ofSeconds(2), Duration.ofMinutes(5));

    /**
     * @param again after which it is worth another try; empty where only another wish can help
     */
    record Outcome(Packaging packaging, Optional<Instant> again) {}

    /** How far a try is. */
    private sealed interface Stage {
        record InLine() implements Stage {}

        record Running() implements Stage {}

        record Over(Outcome outcome) implements Stage {}
    }

    /**
     * @param ended of the operator that looked last; the one that began may lead no longer
     */
    private record Try(FunctionResource wish, int number, Runnable ended, Stage stage) {
        Try at(Stage next) {
            return new Try(wish, number, ended, next);
        }
    }

    private final Function<FunctionResource, Deployment> deployer;
    private final Executor executor;
    private final Clock clock;
    private final Map<String, Try> tries = new HashMap<>();

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
    synchronized Outcome look(String uid, FunctionResource wish, Runnable ended) {
        Try before = tries.get(uid);
        Try first = new Try(wish, 1, ended, new Stage.InLine());
        boolean same = before != null && before.wish().equals(wish);
        return switch (before == null ? null : before.stage()) {
            case null -> start(uid, first);
            case Stage.InLine _ -> {
                tries.put(uid, first);
                yield waiting(PACKAGED);
            }
            case Stage.Running running -> {
                tries.put(uid, new Try(before.wish(), before.number(), ended, running));
                yield waiting(
                        same ? PACKAGED : "what was wished before is packaged; this comes next");
            }
            case Stage.Over(var outcome) when !same -> start(uid, first);
            case Stage.Over(var outcome) when !isDue(outcome) -> outcome;
            case Stage.Over _ ->
                    start(uid, new Try(wish, before.number() + 1, ended, new Stage.InLine()));
        };
    }

    /** Takes it that the wish was packaged before, as by the controller that led until now. */
    synchronized Outcome known(String uid, FunctionResource wish, Deployment deployment) {
        Outcome outcome = new Outcome(new Packaging.Ended(deployment), Optional.empty());
        tries.putIfAbsent(uid, new Try(wish, 1, () -> {}, new Stage.Over(outcome)));
        return outcome;
    }

    synchronized boolean isNew(String uid) {
        return !tries.containsKey(uid);
    }

    /** Gives up what only stands in line; answers whether something runs, which nothing can stop. */
    synchronized boolean cancel(String uid) {
        Try last = tries.get(uid);
        if (last != null && last.stage() instanceof Stage.InLine) {
            tries.remove(uid);
        }
        return last != null && last.stage() instanceof Stage.Running;
    }

    /** Lets the next look start afresh. */
    synchronized void forget(String uid) {
        tries.remove(uid);
    }

    private boolean isDue(Outcome outcome) {
        return outcome.again().filter(again -> !clock.instant().isBefore(again)).isPresent();
    }

    private Outcome start(String uid, Try started) {
        tries.put(uid, started);
        executor.execute(() -> begin(uid).ifPresent(begun -> run(uid, begun)));
        return waiting(PACKAGED);
    }

    /** Empty for what was given up meanwhile. */
    private synchronized Optional<Try> begin(String uid) {
        Optional<Try> next =
                Optional.ofNullable(tries.get(uid))
                        .filter(it -> it.stage() instanceof Stage.InLine)
                        .map(it -> it.at(new Stage.Running()));
        next.ifPresent(begun -> tries.put(uid, begun));
        return next;
    }

    private void run(String uid, Try begun) {
        end(uid, begun, outcome(begun, attempt(begun.wish()))).run();
    }

    private synchronized Runnable end(String uid, Try begun, Outcome outcome) {
        Try ended = tries.getOrDefault(uid, begun).at(new Stage.Over(outcome));
        tries.put(uid, ended);
        return ended.ended();
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
