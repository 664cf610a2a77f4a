package io.knabla.controller.warm.act;

import static java.lang.System.Logger.Level.ERROR;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionListeners;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.platform.KeepWarm;
import io.knabla.controller.platform.ReplicaCapacity;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.warm.act.KeptFunction.Costs;
import io.knabla.controller.warm.live.KeepWarmTiming;
import io.knabla.controller.warm.live.LivePolicyState;
import io.knabla.controller.warm.live.WarmMemory;
import io.knabla.controller.warm.live.WarmNeed;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.storage.ObjectStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Decides every period which replicas are kept without requests, and which are started ahead of them; whoever scales
 * reads the last decisions. Decides on one thread, the executor's.
 */
public final class WarmKeeper implements KeepWarm, Lifecycle {
    private static final System.Logger LOG = System.getLogger(WarmKeeper.class.getName());
    private static final Duration SAVE_EVERY = Duration.ofMinutes(1);

    private static final Duration LAST_ROUND = Duration.ofSeconds(3);

    private final Catalog catalog;
    private final UsageNow usage;
    private final WarmStates states;
    private final WarmMeters meters;
    private final StartMeters starts;
    private final Options options;
    private final InstantSource clock;
    private final ScheduledExecutorService executor;
    private final Map<FunctionId, Kept> functions = new ConcurrentHashMap<>();
    private final Map<FunctionId, Warmth> decided = new ConcurrentHashMap<>();
    private final FunctionListeners listeners = new FunctionListeners();
    private final Optional<WarmMemory> memory;
    private Map<String, LivePolicyState> stored = Map.of();
    private boolean restored;
    private Instant lastRound;
    private Instant lastSave;
    private Thread saving = Thread.ofVirtual().unstarted(() -> {});

    /** What the platform runs now. */
    public interface UsageNow {
        /** Whether this controller is the one that decides, and knows all replicas. */
        boolean isKnown();

        List<ReplicaInterval> replicas();

        /** USD of a GB of 10^9 bytes for a second; answers from memory. */
        double usdPerGbSecond();
    }

    /**
     * How decisions are made on this kind of platform.
     *
     * @param onCluster whether requests are known from the counts of replicas only, and memory is paid as requested
     * @param memoryGb of all warm replicas together
     */
    public record Options(boolean onCluster, KeepWarmTiming timing, OptionalDouble memoryGb) {}

    private static final class Kept {
        final KeptFunction function;
        final CountedRequests counted;
        final StartTimes starts;
        double gb = 0.25;
        int running;

        Kept(FunctionId id, double startSeconds) {
            function = new KeptFunction(id);
            counted = new CountedRequests(function.busy);
            starts = new StartTimes(startSeconds);
        }
    }

    /** @param executor single-threaded; closed with this */
    public WarmKeeper(
            Catalog catalog,
            UsageNow usage,
            ObjectStore store,
            MeterRegistry meters,
            Options options,
            InstantSource clock,
            ScheduledExecutorService executor) {
        this.catalog = catalog;
        this.usage = usage;
        this.states = new WarmStates(store);
        this.meters = new WarmMeters(meters);
        this.starts = new StartMeters(meters);
        this.options = options;
        this.clock = clock;
        this.executor = executor;
        this.memory = options.memoryGb().stream().mapToObj(WarmMemory::new).findFirst();
    }

    @Override
    public void start() {
        long period = options.timing().period().toMillis();
        executor.scheduleWithFixedDelay(this::guardedRound, 0, period, TimeUnit.MILLISECONDS);
    }

    @Override
    public Warmth of(FunctionId function) {
        return decided.getOrDefault(function, Warmth.NONE);
    }

    @Override
    public Demand demand(FunctionId function) {
        return options.onCluster()
                ? Demand.IGNORED
                : (change, now) -> kept(function).function.busy.requests(change, now);
    }

    @Override
    public Runnable onChange(Consumer<FunctionId> listener) {
        return listeners.add(listener);
    }

    private Kept kept(FunctionId id) {
        return functions.computeIfAbsent(id, it -> new Kept(it, options.timing().startSeconds()));
    }

    private void guardedRound() {
        try {
            round();
        } catch (RuntimeException failed) {
            LOG.log(ERROR, "keep-warm could not decide, the next period tries again", failed);
        }
    }

    void round() {
        if (!usage.isKnown() || !catalog.isLoaded()) {
            restored = false;
            lastRound = null;
            decided.clear();
            return;
        }
        Instant now = clock.instant();
        List<FunctionRecord> records = catalog.list();
        forgetAllBut(records);
        if (!restored) {
            stored = states.read();
            restored = true;
            lastSave = now;
        }
        observe(records, now);
        publish(divide(needs(records, now)), now);
        save(now);
        lastRound = now;
    }

    private void forgetAllBut(List<FunctionRecord> records) {
        var known = records.stream().map(FunctionRecord::id).collect(Collectors.toSet());
        functions.keySet().stream().filter(id -> !known.contains(id)).toList().forEach(id -> {
            functions.remove(id);
            decided.remove(id);
            meters.remove(id);
            starts.remove(id);
            memory.ifPresent(budget -> budget.left(id.toString()));
        });
    }

    private void observe(List<FunctionRecord> records, Instant now) {
        Map<FunctionId, List<ReplicaInterval>> replicas = usage.replicas().stream()
                .filter(replica -> replica.end() == ReplicaEnd.RUNNING)
                .collect(Collectors.groupingBy(row -> new FunctionId(row.namespace(), row.function())));
        for (FunctionRecord record : records) {
            observe(record, replicas.getOrDefault(record.id(), List.of()), now);
        }
    }

    private void observe(FunctionRecord record, List<ReplicaInterval> replicas, Instant now) {
        Kept kept = kept(record.id());
        FunctionSpec spec = record.latest().spec();
        kept.starts.observe(replicas);
        starts.observe(record.id(), replicas, lastRound != null);
        replicas.stream()
                .mapToLong(row -> bytes(spec, row))
                .filter(bytes -> bytes > 0)
                .max()
                .ifPresent(bytes -> kept.gb = bytes / 1e9);
        kept.function.use(spec.keepWarm(), new Costs(kept.starts.seconds(), kept.gb, usage.usdPerGbSecond()));
        if (options.onCluster()) {
            kept.counted.observe(replicas, now.toEpochMilli());
        } else {
            kept.function.busy.capacity(ReplicaCapacity.of(spec));
        }
        Optional.ofNullable(stored.get(record.id().toString())).ifPresent(kept.function::restore);
        if (lastRound != null) {
            double seconds = Duration.between(lastRound, now).toMillis() / 1e3;
            meters.held(record.id(), replicas.size(), kept.function.busy.busy(), seconds * kept.gb * replicas.size());
        }
    }

    /** A laptop's replica without a declared size takes what it uses; a pod takes what it requests. */
    private long bytes(FunctionSpec spec, ReplicaInterval replica) {
        boolean measured =
                !options.onCluster() && spec.resources().memoryBytes().isEmpty();
        return measured ? replica.used().memoryBytes() : replica.requested().memoryBytes();
    }

    private Map<FunctionId, WarmNeed> needs(List<FunctionRecord> records, Instant now) {
        stored = Map.of();
        Map<FunctionId, WarmNeed> needs = new HashMap<>();
        for (FunctionRecord record : records) {
            KeptFunction function = kept(record.id()).function;
            int begun = function.learn(now.toEpochMilli());
            memory.filter(_ -> begun > 0)
                    .ifPresent(budget -> budget.used(record.id().toString(), function.startSeconds(), function.gb()));
            needs.put(
                    record.id(),
                    function.need(
                            now.toEpochMilli(),
                            lead(function),
                            record.latest().spec().idleAfter()));
        }
        return needs;
    }

    private Duration lead(KeptFunction function) {
        return options.timing().lead(function.startSeconds());
    }

    private Map<FunctionId, WarmNeed> divide(Map<FunctionId, WarmNeed> needs) {
        if (memory.isEmpty()) {
            return needs;
        }
        Map<String, WarmMemory.Claim> claims = new TreeMap<>();
        needs.forEach((id, need) -> claims.put(
                id.toString(), new WarmMemory.Claim(need, kept(id).function.gb())));
        Map<String, WarmNeed> divided = memory.get().divide(claims);
        return needs.keySet().stream().collect(Collectors.toMap(id -> id, id -> divided.get(id.toString())));
    }

    private void publish(Map<FunctionId, WarmNeed> needs, Instant now) {
        int starts = 0;
        for (var need : needs.entrySet()) {
            FunctionId id = need.getKey();
            KeptFunction function = kept(id).function;
            Warmth before = of(id);
            Warmth after = function.warmth(need.getValue(), now, lead(function));
            if (after.start() > before.start() && ++starts > options.timing().mostStarts()) {
                continue;
            }
            decided.put(id, after);
            if (after.start() != before.start() || after.keep() != before.keep()) {
                listeners.tell(id);
            }
        }
    }

    /** One write at a time, since an older one that ends last would undo a newer one. */
    private void save(Instant now) {
        if (!now.isBefore(lastSave.plus(SAVE_EVERY)) && !saving.isAlive()) {
            lastSave = now;
            Map<String, LivePolicyState> all = all();
            saving = Thread.startVirtualThread(() -> states.write(all));
        }
    }

    private Map<String, LivePolicyState> all() {
        Map<String, LivePolicyState> all = new TreeMap<>();
        functions.forEach((id, kept) -> all.put(id.toString(), kept.function.state()));
        return all;
    }

    /** Stores what was learned, if this controller is the one that decided. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            boolean ended = executor.awaitTermination(LAST_ROUND.toMillis(), TimeUnit.MILLISECONDS);
            if (ended && restored && hasSaved()) {
                functions.values().forEach(kept -> kept.function.learn(clock.millis()));
                states.write(all());
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean hasSaved() throws InterruptedException {
        return !saving.isAlive() || saving.join(LAST_ROUND);
    }
}
