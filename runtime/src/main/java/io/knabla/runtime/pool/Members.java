package io.knabla.runtime.pool;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitAssignment;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The processes of a pool, one of each function that was called lately; together within the pool's memory. */
final class Members implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Members.class.getName());
    private static final long SWEEP_MILLIS = 250;
    private static final long NEW_MEMBER_BYTES = 64L << 20;

    private final ObjectStore store;
    private final Path cache;
    private final long budget;
    private final SpareMembers spares;
    private final Map<String, CompletableFuture<Member>> byFunction = new HashMap<>();
    private volatile boolean closed;

    /** The pool cannot serve the function now; the message says why. */
    static final class NoMember extends Exception {
        private static final long serialVersionUID = 1L;

        NoMember(String why) {
            super(why);
        }
    }

    /**
     * A member that is held until {@link #release}.
     *
     * @param serverTiming phases of its start if this call started it; else empty
     */
    record Held(Member member, String serverTiming) {}

    Members(ObjectStore store, Path cache, long budget, SpareMembers spares) {
        this.store = store;
        this.cache = cache;
        this.budget = budget;
        this.spares = spares;
    }

    void start() {
        spares.start();
        Thread.ofPlatform().daemon().name("members").start(this::sweep);
    }

    boolean isReady() {
        return spares.anyWaits() || !byFunctionCopy().isEmpty();
    }

    /** Takes the function's process; starts it if there is none, or if its assignment is an earlier one. */
    Held take(String function, UnitAssignment assignment) throws NoMember {
        var starts = new CompletableFuture<Member>();
        CompletableFuture<Member> found;
        synchronized (byFunction) {
            CompletableFuture<Member> there = byFunction.get(function);
            if (there == null || isUnusable(there, assignment)) {
                byFunction.put(function, starts);
                found = starts;
            } else {
                found = there;
                hold(there);
            }
            if (there != null && found == starts) {
                there.thenAccept(this::endWhenUnused);
            }
        }
        if (found == starts) {
            return started(function, assignment, starts);
        }
        return new Held(await(found), "");
    }

    private static boolean isUnusable(CompletableFuture<Member> there, UnitAssignment assignment) {
        if (!there.isDone()) {
            return false;
        }
        if (there.isCompletedExceptionally()) {
            return true;
        }
        Member member = there.join();
        return !member.isAlive() || !member.assignment.equals(assignment);
    }

    /** Before anything else can decide that it is idle. */
    private static void hold(CompletableFuture<Member> there) {
        there.thenAccept(member -> member.inFlight.incrementAndGet());
    }

    private static Member await(CompletableFuture<Member> found) throws NoMember {
        try {
            return found.join();
        } catch (CompletionException failed) {
            throw new NoMember(failed.getCause().getMessage());
        }
    }

    private Held started(String function, UnitAssignment assignment, CompletableFuture<Member> starts) throws NoMember {
        try {
            makeRoom();
            long begun = System.nanoTime();
            fetch(assignment);
            double fetched = (System.nanoTime() - begun) / 1e6;
            MemberProcess process = spares.take();
            Member member = assigned(function, assignment, process, starts);
            return new Held(member, "fetch;dur=" + Math.round(fetched) + ", load;dur=" + Math.round(member.loadMillis));
        } catch (NoMember | IOException | RuntimeException failed) {
            String why = "%s does not start in the pool: %s".formatted(function, failed.getMessage());
            forget(function, starts);
            starts.completeExceptionally(new IOException(why));
            throw new NoMember(why);
        }
    }

    private Member assigned(
            String function, UnitAssignment assignment, MemberProcess process, CompletableFuture<Member> starts)
            throws IOException {
        String token = UUID.randomUUID().toString();
        try {
            MemberProcess.Started started = process.assign(own(assignment, token));
            process.drainEvents();
            var member = new Member(function, assignment, process, started, token);
            member.inFlight.incrementAndGet();
            starts.complete(member);
            return member;
        } catch (IOException failed) {
            process.end();
            throw failed;
        }
    }

    private UnitAssignment own(UnitAssignment assignment, String token) {
        Map<String, String> environment = new TreeMap<>(assignment.environment());
        environment.put("KNABLA_CACHE", cache.toString());
        environment.put("PORT", "0");
        environment.put("KNABLA_HOST", "127.0.0.1");
        environment.put("KNABLA_REPLICA_TOKEN", token);
        environment.put("KNABLA_STDIN_WATCH", "1");
        return new UnitAssignment(environment);
    }

    /** Brings the unit into the cache, so that the member needs no access to the store. */
    private void fetch(UnitAssignment assignment) {
        Digest unit = new Digest(assignment.environment().getOrDefault("KNABLA_UNIT", ""));
        new UnitStore(store).prefetch(unit, cache, System.getenv(), DownloadListener.NONE);
    }

    private void makeRoom() throws NoMember {
        List<Evictions.State> states = states();
        List<Evictions.Ending> endings = Evictions.decide(states, memory(), NEW_MEMBER_BYTES);
        if (!Evictions.fits(states, endings, memory(), NEW_MEMBER_BYTES)) {
            throw new NoMember("all memory of the pool is in use");
        }
        end(endings);
    }

    private long memory() {
        return budget - spares.bytes();
    }

    private List<Evictions.State> states() {
        long now = System.nanoTime();
        return byFunctionCopy().values().stream()
                .filter(future -> future.isDone() && !future.isCompletedExceptionally())
                .map(future -> future.join().state(now, budget))
                .toList();
    }

    private Map<String, CompletableFuture<Member>> byFunctionCopy() {
        synchronized (byFunction) {
            return Map.copyOf(byFunction);
        }
    }

    void release(Member member) {
        member.lastUse.set(System.nanoTime());
        member.inFlight.decrementAndGet();
    }

    private void sweep() {
        while (!closed) {
            try {
                Thread.sleep(SWEEP_MILLIS);
                end(Evictions.decide(states(), memory(), 0));
            } catch (InterruptedException ending) {
                return;
            } catch (RuntimeException bug) {
                LOG.log(WARNING, "cannot look after the members of the pool", bug);
            }
        }
    }

    private void end(List<Evictions.Ending> endings) {
        for (Evictions.Ending ending : endings) {
            CompletableFuture<Member> there;
            synchronized (byFunction) {
                there = byFunction.get(ending.function());
                boolean taken = there != null
                        && there.isDone()
                        && ending.reason() != Evictions.Reason.OVER_ITS_LIMIT
                        && there.join().inFlight.get() > 0;
                if (there == null || taken) {
                    continue;
                }
                byFunction.remove(ending.function());
            }
            LOG.log(INFO, "{0} leaves the pool: {1}", ending.function(), ending.reason().sentence);
            there.thenAccept(Member::end);
        }
    }

    private void forget(String function, CompletableFuture<Member> failed) {
        synchronized (byFunction) {
            byFunction.remove(function, failed);
        }
    }

    /** Its requests end first. */
    private void endWhenUnused(Member earlier) {
        Thread.ofVirtual().start(() -> {
            try {
                while (earlier.inFlight.get() > 0 && earlier.isAlive()) {
                    Thread.sleep(SWEEP_MILLIS);
                }
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            }
            earlier.end();
        });
    }

    @Override
    public void close() {
        closed = true;
        spares.close();
        byFunctionCopy().values().forEach(future -> future.thenAccept(Member::end));
        byFunctionCopy().values().stream()
                .filter(future -> future.isDone() && !future.isCompletedExceptionally())
                .forEach(future -> future.join().process.ended().join());
    }
}
