package io.knabla.controller.cli.doctor.store;

import io.knabla.controller.cli.doctor.Finding;
import io.knabla.storage.Checkup;
import io.knabla.storage.Checkup.Answer;
import io.knabla.storage.Checkup.Check;
import io.knabla.storage.Checkup.Grade;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Runs every check of one store within a time limit, and deletes the objects that the checks wrote. */
public final class StoreChecks {
    public static final Duration LONGEST = Duration.ofSeconds(20);

    /** Time that every check gets, even if those before it used up the limit. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** Time that the clean-up gets at least, because nothing deletes its leftovers later. */
    private static final Duration CLEANING = Duration.ofSeconds(5);

    private final ObjectStore store;
    private final ScratchPrefix scratch;
    private final Consumer<String> progress;
    private final List<Finding> findings = new ArrayList<>();
    private final long ends;
    private final Duration shortest;

    /**
     * @param id random, unique to this run
     * @param longest time limit of all checks together, such as {@link #LONGEST}
     * @param progress receives the name of every check that starts
     */
    public StoreChecks(ObjectStore store, String id, Duration longest, Consumer<String> progress) {
        this(store, id, longest, SHORTEST, progress);
    }

    StoreChecks(ObjectStore store, String id, Duration longest, Duration shortest, Consumer<String> progress) {
        this.store = store;
        this.scratch = new ScratchPrefix(store, ObjectKey.of(ScratchPrefix.PREFIX, id));
        this.progress = progress;
        this.ends = System.nanoTime() + longest.toNanos();
        this.shortest = shortest;
    }

    public List<Finding> findings() throws InterruptedException {
        Optional<Checkup> server = store.checkup();
        for (Check check : server.map(Checkup::connectivity).orElse(List.of())) {
            if (!run(check)) {
                return notTried("the objects", "the connection to the store works");
            }
        }
        try {
            runChecks(server);
        } finally {
            long left = Math.max(ends - System.nanoTime(), CLEANING.toNanos());
            Answer cleaned = await(start(this::clean), left);
            findings.add(Finding.of("cleaned up", cleaned));
        }
        return findings;
    }

    private void runChecks(Optional<Checkup> server) throws InterruptedException {
        boolean works = true;
        for (Check check : new OperationChecks(scratch).checks()) {
            works &= run(check);
        }
        List<Check> abilities = new ArrayList<>();
        server.ifPresent(s -> abilities.addAll(s.capabilities(scratch.root())));
        if (works) {
            abilities.addAll(new ConditionalWriteChecks(scratch).checks());
            abilities.add(new ConsistencyCheck(scratch).check());
        }
        runParallel(abilities);
        if (!works) {
            notTried("conditions, speed", "reading and writing work");
            return;
        }
        for (Check check : new SpeedChecks(scratch).checks()) {
            run(check);
        }
    }

    private boolean run(Check check) throws InterruptedException {
        progress.accept(check.name());
        return collect(check, start(check.run()));
    }

    /** Runs checks in parallel: a race of writers takes seconds on servers that queue them. */
    private void runParallel(List<Check> checks) throws InterruptedException {
        progress.accept(checks.stream().map(Check::name).collect(Collectors.joining(", ")));
        List<CompletableFuture<Answer>> asked =
                checks.stream().map(check -> start(check.run())).toList();
        for (int i = 0; i < checks.size(); i++) {
            collect(checks.get(i), asked.get(i));
        }
    }

    private boolean collect(Check check, CompletableFuture<Answer> asked) throws InterruptedException {
        long left = Math.max(ends - System.nanoTime(), shortest.toNanos());
        Answer answer = await(asked, left);
        findings.add(Finding.of(check.name(), answer));
        return answer.grade() != Grade.BAD;
    }

    private static CompletableFuture<Answer> start(Supplier<Answer> ask) {
        var answer = new CompletableFuture<Answer>();
        Thread.ofVirtual().start(() -> answer.complete(answered(ask)));
        return answer;
    }

    private static Answer answered(Supplier<Answer> ask) {
        try {
            return ask.get();
        } catch (RuntimeException failed) {
            return Answer.bad("fails: " + failed.getMessage(), "see the message");
        }
    }

    /** A server that hangs must not block the checks: its thread ends by its own timeouts. */
    private static Answer await(CompletableFuture<Answer> asked, long nanos) throws InterruptedException {
        try {
            return asked.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException slow) {
            return Answer.bad(
                    "no answer in time", "check whether the server is overloaded, or the network drops packets");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Answer clean() {
        int left = scratch.clean();
        return left == 0
                ? Answer.good("nothing is left below " + scratch.root())
                : Answer.poor("%d objects are left below %s".formatted(left, scratch.root()), "delete them by hand");
    }

    private List<Finding> notTried(String what, String until) {
        findings.add(Finding.of(what, Answer.poor("not tried until " + until, "fix it, then check again")));
        return findings;
    }
}
