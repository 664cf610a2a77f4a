package io.knabla.controller.local.pool;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Generic replica processes that wait for a unit: an assignment takes milliseconds, a fresh start a tenth of a second.
 * Each is assigned once and never returns. Refills on a thread of its own, one process at a time, and never while a
 * replica starts.
 */
public final class ReplicaPool implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ReplicaPool.class.getName());

    /** From a start until the refill: the first requests come first. */
    private static final Duration QUIET = Duration.ofMillis(500);

    /** Between two looks for members that are no longer needed. */
    private static final Duration PERIOD = Duration.ofSeconds(10);

    /** At the lowest priority on a busy machine. */
    private static final Duration BOOT_DEADLINE = Duration.ofMinutes(2);

    private static final Duration MOST_BACKOFF = Duration.ofMinutes(5);

    private final PoolSize size;
    private final MemberStarter starter;
    private final BooleanSupplier anyStarting;
    private final Predicate<PoolVariant> hasRoom;
    private final InstantSource clock;
    private final PoolDemand demand;
    private final Map<PoolVariant, Deque<PoolMember>> idle = new HashMap<>();
    private final ScheduledExecutorService refills = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("knabla-pool").factory());
    private LowPriority priority;
    private PoolMember booting;
    private int failures;
    private Instant notBefore = Instant.MIN;
    private boolean closed;

    /**
     * @param usual variant of a function that declares nothing
     * @param anyStarting whether a replica is starting now
     * @param hasRoom whether a member of this variant may wait beside what runs
     */
    public ReplicaPool(
            PoolSize size,
            PoolVariant usual,
            MemberStarter starter,
            BooleanSupplier anyStarting,
            Predicate<PoolVariant> hasRoom,
            InstantSource clock) {
        this.size = size;
        this.starter = starter;
        this.anyStarting = anyStarting;
        this.hasRoom = hasRoom;
        this.clock = clock;
        this.demand = new PoolDemand(size, usual);
    }

    /** Begins to fill the pool in the background after this delay. */
    public void start(Duration delay) {
        if (!size.isOff()) {
            refills.scheduleWithFixedDelay(this::refill, delay.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Takes a member out of the pool, for a replica that is starting now; empty if none of this variant waits. */
    public synchronized Optional<PoolMember> take(PoolVariant variant) {
        if (size.isOff() || closed) {
            return Optional.empty();
        }
        demand.started(variant, clock.instant());
        refillIn(QUIET);
        Deque<PoolMember> waiting = idle.getOrDefault(variant, new ArrayDeque<>());
        Optional<PoolMember> member = Optional.ofNullable(waiting.poll());
        member.ifPresent(taken -> {
            failures = 0;
            taken.leave().run();
        });
        return member;
    }

    /** Members that wait for an assignment. */
    public synchronized List<PoolMember> idle() {
        return idle.values().stream().flatMap(Collection::stream).toList();
    }

    private void refillIn(Duration delay) {
        try {
            refills.schedule(this::refill, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            // Nothing needs a refill any more.
        }
    }

    /** Starts members until none is missing. */
    private void refill() {
        try {
            Optional<PoolVariant> missing = missing();
            while (missing.isPresent()) {
                boot(missing.get());
                missing = missing();
            }
        } catch (RuntimeException bug) {
            LOG.log(WARNING, "cannot refill the pool of replicas", bug);
        }
    }

    /** The variant of which to start a member now; empty if none is missing, or starts must wait. */
    private synchronized Optional<PoolVariant> missing() {
        Map<PoolVariant, Integer> targets = demand.targets(clock.instant());
        targets.keySet().removeIf(hasRoom.negate());
        endSurplus(targets);
        Optional<PoolVariant> missing = targets.entrySet().stream()
                .filter(target -> count(target.getKey()) < target.getValue())
                .map(Map.Entry::getKey)
                .findFirst();
        if (closed || missing.isEmpty() || clock.instant().isBefore(notBefore)) {
            return Optional.empty();
        }
        if (anyStarting.getAsBoolean()) {
            refillIn(QUIET);
            return Optional.empty();
        }
        return missing;
    }

    private int count(PoolVariant variant) {
        return idle.getOrDefault(variant, new ArrayDeque<>()).size();
    }

    private void endSurplus(Map<PoolVariant, Integer> targets) {
        idle.forEach((variant, waiting) -> {
            while (waiting.size() > targets.getOrDefault(variant, 0)) {
                waiting.poll().end();
            }
        });
        idle.values().removeIf(Collection::isEmpty);
    }

    private void boot(PoolVariant variant) {
        if (priority == null) {
            priority = LowPriority.forThisUser();
        }
        try {
            PoolMember member = starter.start(variant, priority.prefix());
            if (!isBooting(member)) {
                return;
            }
            boolean ready =
                    member.awaitReady() && priority.raise(member.process().pid());
            booted(variant, member, ready);
        } catch (IOException failed) {
            LOG.log(failures == 0 ? WARNING : DEBUG, "cannot start a replica for the pool", failed);
            backOff();
        }
    }

    private synchronized boolean isBooting(PoolMember member) {
        if (closed) {
            member.end();
            return false;
        }
        booting = member;
        CompletableFuture.delayedExecutor(BOOT_DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> endIfBooting(member));
        return true;
    }

    private synchronized void endIfBooting(PoolMember member) {
        if (booting == member) {
            member.end();
        }
    }

    private synchronized void booted(PoolVariant variant, PoolMember member, boolean ready) {
        booting = null;
        if (closed) {
            return;
        }
        if (!ready) {
            member.end();
            LOG.log(failures == 0 ? WARNING : DEBUG, "a replica of the pool did not start: {0}", member.lastWords());
            backOff();
            return;
        }
        idle.computeIfAbsent(variant, _ -> new ArrayDeque<>()).add(member);
        member.process().onExit().thenRun(() -> ended(variant, member));
    }

    /** Replaces a member that ended while it waited. */
    private synchronized void ended(PoolVariant variant, PoolMember member) {
        if (!closed && idle.getOrDefault(variant, new ArrayDeque<>()).remove(member)) {
            member.end();
            LOG.log(
                    DEBUG,
                    "process {0} of the pool ended while it waited",
                    member.process().pid());
            backOff();
        }
    }

    private synchronized void backOff() {
        Duration delay = Duration.ofSeconds(1L << Math.min(failures, 10));
        delay = delay.compareTo(MOST_BACKOFF) < 0 ? delay : MOST_BACKOFF;
        failures++;
        notBefore = clock.instant().plus(delay);
        refillIn(delay);
    }

    /** Ends all members that wait; those that were assigned are not its own any more. */
    @Override
    public void close() {
        List<CompletableFuture<Void>> ends;
        synchronized (this) {
            closed = true;
            refills.shutdownNow();
            ends = Stream.concat(idle().stream(), Stream.ofNullable(booting))
                    .map(PoolMember::end)
                    .toList();
            idle.clear();
        }
        ends.forEach(CompletableFuture::join);
    }
}
