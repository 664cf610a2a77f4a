package io.knabla.controller.operator;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.cluster.knative.diagnose.Packaging;
import io.knabla.controller.deploy.Deployment;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.unit.Digest;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Packages in the background: it may take minutes, and meanwhile neither this function's pods nor other functions may
 * be left alone. Of one function at most one packaging runs; what was wished meanwhile comes after it.
 */
final class Packagings {
    private static final int AT_ONCE = 4;

    /** @param uid of the Function that wishes it */
    record Order(FunctionResource wish, String uid, Claims claims) {
        /** With whose it is, to be written together with the version. */
        FunctionRecord claimed(FunctionRecord record) {
            return claims.claimed(record, uid);
        }

        boolean isAnothers(FunctionRecord record) {
            return claims.isAnothers(record, uid);
        }
    }

    /** @param again after which it is worth another try; empty where only another wish can help */
    record Outcome(Packaging packaging, Optional<Instant> again) {}

    private enum Stage {
        InLine,
        Running,
        Over
    }

    /**
     * @param outcome of it; until it is over, what is said meanwhile
     * @param lost which word of a loss it answers, empty for none
     * @param ended of the operator that looked last; the one that began may lead no longer
     */
    private record Try(Order order, int number, Stage stage, Outcome outcome, String lost, Runnable ended) {
        /** What was found wrong with the wish holds until the next try finds otherwise. */
        Try after(Try before) {
            boolean said = before.misses().isPresent() || before.isRefused();
            Outcome meanwhile = said ? new Outcome(before.outcome.packaging(), Optional.empty()) : outcome;
            return new Try(order, before.number + 1, stage, meanwhile, lost, ended);
        }

        Try running() {
            return new Try(order, number, Stage.Running, outcome, lost, ended);
        }

        Try over(Outcome now) {
            return new Try(order, number, Stage.Over, now, lost, ended);
        }

        Try telling(Runnable whom) {
            return new Try(order, number, stage, outcome, lost, whom);
        }

        /** The files without which it came to nothing. */
        Optional<List<Digest>> misses() {
            return stage == Stage.Over
                            && outcome.packaging() instanceof Packaging.Ended(Deployment.ModelMissing(var files))
                    ? Optional.of(files)
                    : Optional.empty();
        }

        private boolean isRefused() {
            return outcome.packaging() instanceof Packaging.Ended(Deployment.Refused _);
        }

        /** Where requests go makes no version, but may be what a version was refused for. */
        boolean isOf(FunctionResource other) {
            return order.wish().equals(other)
                    || stage == Stage.Over
                            && isVersion(outcome.packaging())
                            && Wish.sameButTraffic(order.wish().spec(), other.spec());
        }
    }

    private final Function<Order, Deployment> deployer;
    private final Executor executor;
    private final Clock clock;
    private final Map<String, Try> tries = new HashMap<>();

    Packagings(Function<Order, Deployment> deployer, Executor executor, Clock clock) {
        this.deployer = deployer;
        this.executor = executor;
        this.clock = clock;
    }

    /** Few at once, first come, first served: more would only wait inside the deployer, and be sent away. */
    static Executor inTurn() {
        var turn = new Semaphore(AT_ONCE, true);
        return work -> Thread.ofVirtual().name("packaging").start(() -> {
            turn.acquireUninterruptibly();
            try {
                work.run();
            } finally {
                turn.release();
            }
        });
    }

    /** How far the wish is; starts what has to be started, after whose end {@code ended} is called. */
    synchronized Outcome look(String uid, Order order, Runnable ended) {
        Try before = tries.get(uid);
        boolean same = before != null && before.isOf(order.wish());
        // A loss that was answered is not answered again for a new wish.
        String lost = before == null ? "" : before.lost();
        Try first = new Try(order, 1, Stage.InLine, waiting("the model is packaged"), lost, ended);
        return switch (before == null ? null : before.stage()) {
            case null -> start(uid, first);
            case InLine -> put(uid, same ? before.telling(ended) : first);
            case Running -> {
                Outcome outcome = put(uid, before.telling(ended));
                yield same ? outcome : waiting("what was wished before is packaged; this comes next");
            }
            case Over -> {
                if (same && !isDue(before.outcome())) {
                    yield before.outcome();
                }
                yield start(uid, same ? first.after(before) : first);
            }
        };
    }

    /**
     * Packages once more what was packaged, as the store lost it; what was said of it holds meanwhile.
     *
     * @param word of those who missed it: one is answered once
     */
    synchronized void mend(String uid, String word, Runnable ended) {
        Try last = tries.get(uid);
        if (last.stage() == Stage.Over && !last.lost().equals(word)) {
            start(uid, new Try(last.order(), 1, Stage.InLine, last.outcome(), word, ended));
        }
    }

    /** A file came that may have been missed: who waits for it is looked at again at once. */
    void arrived(Digest file) {
        waitingFor(file).forEach(Runnable::run);
    }

    private synchronized List<Runnable> waitingFor(Digest file) {
        List<Map.Entry<String, Try>> waiting = tries.entrySet().stream()
                .filter(one -> one.getValue().misses().orElse(List.of()).contains(file))
                .toList();
        List<Runnable> ended =
                waiting.stream().map(one -> one.getValue().ended()).toList();
        waiting.stream().map(Map.Entry::getKey).toList().forEach(this::forget);
        return ended;
    }

    /** Takes it that the wish was packaged before, as by the controller that led until now. */
    synchronized Outcome known(String uid, Order order, Deployment deployment) {
        Outcome outcome = new Outcome(new Packaging.Ended(deployment), Optional.empty());
        tries.putIfAbsent(uid, new Try(order, 1, Stage.Over, outcome, "", () -> {}));
        return outcome;
    }

    static boolean isVersion(Packaging packaging) {
        return packaging instanceof Packaging.Ended(var deployment)
                && (deployment instanceof Deployment.Deployed || deployment instanceof Deployment.Unchanged);
    }

    synchronized boolean isNew(String uid) {
        return !tries.containsKey(uid);
    }

    /** Lets the next look start afresh, unless something runs, which nothing can stop. */
    synchronized void forget(String uid) {
        if (!runs(uid)) {
            tries.remove(uid);
        }
    }

    synchronized boolean runs(String uid) {
        Try last = tries.get(uid);
        return last != null && last.stage() == Stage.Running;
    }

    private boolean isDue(Outcome outcome) {
        return outcome.again().filter(again -> !clock.instant().isBefore(again)).isPresent();
    }

    private Outcome start(String uid, Try started) {
        Outcome meanwhile = put(uid, started);
        executor.execute(() -> begin(uid).ifPresent(begun -> run(uid, begun)));
        return meanwhile;
    }

    private Outcome put(String uid, Try now) {
        tries.put(uid, now);
        return now.outcome();
    }

    /** Empty for what was forgotten meanwhile. */
    private synchronized Optional<Try> begin(String uid) {
        Optional<Try> next = Optional.ofNullable(tries.get(uid))
                .filter(it -> it.stage() == Stage.InLine)
                .map(Try::running);
        next.ifPresent(begun -> put(uid, begun));
        return next;
    }

    private void run(String uid, Try begun) {
        end(uid, outcome(begun, attempt(begun.order()))).run();
    }

    private synchronized Runnable end(String uid, Outcome outcome) {
        Try over = tries.get(uid).over(outcome);
        put(uid, over);
        return over.ended();
    }

    private Packaging attempt(Order order) {
        try {
            return new Packaging.Ended(deployer.apply(order));
        } catch (RuntimeException outage) {
            return new Packaging.Failed(outage);
        } catch (Error broken) {
            return new Packaging.Failed(new IllegalStateException(broken.toString(), broken));
        }
    }

    private Outcome outcome(Try ended, Packaging packaging) {
        return new Outcome(
                packaging,
                Again.after(ended.order().wish(), ended.number(), packaging).map(clock.instant()::plus));
    }

    private static Outcome waiting(String sentence) {
        return new Outcome(new Packaging.Waiting(sentence), Optional.empty());
    }
}
