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
 * Packages functions in the background: a packaging may take minutes, and must not delay other reconciliations. At most
 * one packaging runs per function; a spec that changes meanwhile is packaged next.
 */
final class Packagings {
    private static final int AT_ONCE = 4;

    /**
     * Request to package one spec.
     *
     * @param uid of the Function that it comes from
     */
    record Order(FunctionResource wish, String uid, Claims claims) {
        /** Adds the owner to the record, in the same write as the version. */
        FunctionRecord claimed(FunctionRecord record) {
            return claims.claimed(record, uid);
        }

        boolean isAnothers(FunctionRecord record) {
            return claims.isAnothers(record, uid);
        }
    }

    /**
     * Progress or result of a packaging.
     *
     * @param again when to retry; empty if only a changed spec can help
     */
    record Outcome(Packaging packaging, Optional<Instant> again) {}

    private enum Stage {
        InLine,
        Running,
        Over
    }

    /**
     * @param outcome result; until the attempt ends, what to report meanwhile
     * @param lost fingerprint of the missing unit that this repairs; empty for none
     * @param ended callback of the operator that asked last; the one that asked first may have lost the lead
     */
    private record Try(Order order, int number, Stage stage, Outcome outcome, String lost, Runnable ended) {
        /** Creates the next attempt, which reports the faults found before until it ends. */
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

        /** Model files that were missing, if that is why the attempt failed. */
        Optional<List<Digest>> misses() {
            return stage == Stage.Over
                            && outcome.packaging() instanceof Packaging.Ended(Deployment.ModelMissing(var files))
                    ? Optional.of(files)
                    : Optional.empty();
        }

        private boolean isRefused() {
            return outcome.packaging() instanceof Packaging.Ended(Deployment.Refused _);
        }

        /** Whether this attempt covers the resource; traffic is ignored once a version was packaged. */
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

    /** Runs {@code AT_ONCE} packagings at a time, in order: the deployer would reject more as busy. */
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

    /** Returns the progress of a packaging; starts one if needed, and calls {@code ended} when it ends. */
    synchronized Outcome look(String uid, Order order, Runnable ended) {
        Try before = tries.get(uid);
        boolean same = before != null && before.isOf(order.wish());
        // A missing unit that was already repaired is not repaired again for a new spec.
        String lost = before == null ? "" : before.lost();
        Try first = new Try(order, 1, Stage.InLine, waiting("the model is being packaged"), lost, ended);
        return switch (before == null ? null : before.stage()) {
            case null -> start(uid, first);
            case InLine -> put(uid, same ? before.telling(ended) : first);
            case Running -> {
                Outcome outcome = put(uid, before.telling(ended));
                yield same ? outcome : waiting("an earlier spec is still being packaged; this one is next");
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
     * Packages a version again because the store lost its unit; its previous outcome is reported meanwhile.
     *
     * @param word fingerprint of the restarts that missed the unit: each is answered once
     */
    synchronized void mend(String uid, String word, Runnable ended) {
        Try last = tries.get(uid);
        if (last.stage() == Stage.Over && !last.lost().equals(word)) {
            start(uid, new Try(last.order(), 1, Stage.InLine, last.outcome(), word, ended));
        }
    }

    /** Triggers the functions that wait for this uploaded file. */
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

    /** Records that the spec was packaged before, for example by the previous leader. */
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

    /** Drops the attempt, unless it runs: a running packaging cannot be stopped. */
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

    /** Empty if the attempt was dropped meanwhile. */
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
