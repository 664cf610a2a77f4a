package io.knabla.controller.knative.reconcile;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.deploy.DeployResult;
import io.knabla.controller.knative.status.PackagingState;
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
final class PackagingQueue {
    private static final int AT_ONCE = 4;

    /**
     * Request to package one spec.
     *
     * @param uid of the Function that it comes from
     */
    record PackagingRequest(FunctionResource resource, String uid, RecordOwnership ownership) {
        /** Adds the owner to the record, in the same write as the version. */
        FunctionRecord claim(FunctionRecord record) {
            return ownership.claim(record, uid);
        }

        boolean isOwnedByAnother(FunctionRecord record) {
            return ownership.isOwnedByAnother(record, uid);
        }
    }

    /**
     * Progress or result of a packaging.
     *
     * @param again when to retry; empty if only a changed spec can help
     */
    record Outcome(PackagingState packaging, Optional<Instant> again) {}

    private enum Stage {
        Queued,
        Running,
        Ended
    }

    /**
     * @param outcome result; until the attempt ends, what to report meanwhile
     * @param lost fingerprint of the missing unit that this repairs; empty for none
     * @param ended callback of the operator that asked last; the one that asked first may have lost the lead
     */
    private record Attempt(
            PackagingRequest request, int number, Stage stage, Outcome outcome, String lost, Runnable ended) {
        /** Creates the next attempt, which reports the faults found before until it ends. */
        Attempt after(Attempt before) {
            boolean said = before.missingFiles().isPresent() || before.isRefused();
            Outcome meanwhile = said ? new Outcome(before.outcome.packaging(), Optional.empty()) : outcome;
            return new Attempt(request, before.number + 1, stage, meanwhile, lost, ended);
        }

        Attempt running() {
            return new Attempt(request, number, Stage.Running, outcome, lost, ended);
        }

        Attempt over(Outcome now) {
            return new Attempt(request, number, Stage.Ended, now, lost, ended);
        }

        Attempt notifying(Runnable whom) {
            return new Attempt(request, number, stage, outcome, lost, whom);
        }

        /** Model files that were missing, if that is why the attempt failed. */
        Optional<List<Digest>> missingFiles() {
            return stage == Stage.Ended
                            && outcome.packaging() instanceof PackagingState.Ended(DeployResult.ModelMissing(var files))
                    ? Optional.of(files)
                    : Optional.empty();
        }

        private boolean isRefused() {
            return outcome.packaging() instanceof PackagingState.Ended(DeployResult.Refused _);
        }

        /** Whether this attempt covers the resource; traffic is ignored once a version was packaged. */
        boolean isOf(FunctionResource other) {
            return request.resource().equals(other)
                    || stage == Stage.Ended
                            && isVersion(outcome.packaging())
                            && FunctionParser.equalIgnoringTraffic(
                                    request.resource().spec(), other.spec());
        }
    }

    private final Function<PackagingRequest, DeployResult> deployer;
    private final Executor executor;
    private final Clock clock;
    private final Map<String, Attempt> attempts = new HashMap<>();

    PackagingQueue(Function<PackagingRequest, DeployResult> deployer, Executor executor, Clock clock) {
        this.deployer = deployer;
        this.executor = executor;
        this.clock = clock;
    }

    /** Runs {@code AT_ONCE} packagings at a time, in order: the deployer would reject more as busy. */
    static Executor boundedExecutor() {
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
    synchronized Outcome submit(String uid, PackagingRequest request, Runnable ended) {
        Attempt before = attempts.get(uid);
        boolean same = before != null && before.isOf(request.resource());
        // A missing unit that was already repaired is not repaired again for a new spec.
        String lost = before == null ? "" : before.lost();
        Attempt first = new Attempt(request, 1, Stage.Queued, waiting("the model is being packaged"), lost, ended);
        return switch (before == null ? null : before.stage()) {
            case null -> start(uid, first);
            case Queued -> put(uid, same ? before.notifying(ended) : first);
            case Running -> {
                Outcome outcome = put(uid, before.notifying(ended));
                yield same ? outcome : waiting("an earlier spec is still being packaged; this one is next");
            }
            case Ended -> {
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
    synchronized void packageAgain(String uid, String word, Runnable ended) {
        Attempt last = attempts.get(uid);
        if (last.stage() == Stage.Ended && !last.lost().equals(word)) {
            start(uid, new Attempt(last.request(), 1, Stage.Queued, last.outcome(), word, ended));
        }
    }

    /** Triggers the functions that wait for this uploaded file. */
    void fileArrived(Digest file) {
        waitingFor(file).forEach(Runnable::run);
    }

    private synchronized List<Runnable> waitingFor(Digest file) {
        List<Map.Entry<String, Attempt>> waiting = attempts.entrySet().stream()
                .filter(one -> one.getValue().missingFiles().orElse(List.of()).contains(file))
                .toList();
        List<Runnable> ended =
                waiting.stream().map(one -> one.getValue().ended()).toList();
        waiting.stream().map(Map.Entry::getKey).toList().forEach(this::forget);
        return ended;
    }

    /** Records that the spec was packaged before, for example by the previous leader. */
    synchronized Outcome markPackaged(String uid, PackagingRequest request, DeployResult deployment) {
        Outcome outcome = new Outcome(new PackagingState.Ended(deployment), Optional.empty());
        attempts.putIfAbsent(uid, new Attempt(request, 1, Stage.Ended, outcome, "", () -> {}));
        return outcome;
    }

    static boolean isVersion(PackagingState packaging) {
        return packaging instanceof PackagingState.Ended(var deployment)
                && (deployment instanceof DeployResult.Deployed || deployment instanceof DeployResult.Unchanged);
    }

    synchronized boolean isNew(String uid) {
        return !attempts.containsKey(uid);
    }

    /** Drops the attempt, unless it runs: a running packaging cannot be stopped. */
    synchronized void forget(String uid) {
        if (!isRunning(uid)) {
            attempts.remove(uid);
        }
    }

    synchronized boolean isRunning(String uid) {
        Attempt last = attempts.get(uid);
        return last != null && last.stage() == Stage.Running;
    }

    private boolean isDue(Outcome outcome) {
        return outcome.again().filter(again -> !clock.instant().isBefore(again)).isPresent();
    }

    private Outcome start(String uid, Attempt started) {
        Outcome meanwhile = put(uid, started);
        executor.execute(() -> begin(uid).ifPresent(begun -> run(uid, begun)));
        return meanwhile;
    }

    private Outcome put(String uid, Attempt now) {
        attempts.put(uid, now);
        return now.outcome();
    }

    /** Empty if the attempt was dropped meanwhile. */
    private synchronized Optional<Attempt> begin(String uid) {
        Optional<Attempt> next = Optional.ofNullable(attempts.get(uid))
                .filter(it -> it.stage() == Stage.Queued)
                .map(Attempt::running);
        next.ifPresent(begun -> put(uid, begun));
        return next;
    }

    private void run(String uid, Attempt begun) {
        end(uid, outcome(begun, attempt(begun.request()))).run();
    }

    private synchronized Runnable end(String uid, Outcome outcome) {
        Attempt over = attempts.get(uid).over(outcome);
        put(uid, over);
        return over.ended();
    }

    private PackagingState attempt(PackagingRequest request) {
        try {
            return new PackagingState.Ended(deployer.apply(request));
        } catch (RuntimeException outage) {
            return new PackagingState.Failed(outage);
        } catch (Error broken) {
            return new PackagingState.Failed(new IllegalStateException(broken.toString(), broken));
        }
    }

    private Outcome outcome(Attempt ended, PackagingState packaging) {
        return new Outcome(
                packaging,
                RetrySchedule.after(ended.request().resource(), ended.number(), packaging)
                        .map(clock.instant()::plus));
    }

    private static Outcome waiting(String sentence) {
        return new Outcome(new PackagingState.Waiting(sentence), Optional.empty());
    }
}
