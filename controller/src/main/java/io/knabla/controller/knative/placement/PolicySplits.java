package io.knabla.controller.knative.placement;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionListeners;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.knative.CapacitySplits;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.signal.InterruptionTaint;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.scale.fleet.FleetView;
import io.knabla.controller.scale.fleet.SpotRisks;
import io.knabla.controller.spot.live.CapacitySplit;
import io.knabla.controller.spot.live.FleetTiming;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import io.knabla.functions.spec.SpotTimeout;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Has the spot policies divide the replicas of all {@code Mixed} functions every two seconds, while this controller
 * leads.
 */
public final class PolicySplits implements CapacitySplits, Lifecycle {
    private static final System.Logger LOG = System.getLogger(PolicySplits.class.getName());

    private final Catalog catalog;
    private final KnativeView view;
    private final Supplier<Optional<List<ReplicaInterval>>> work;
    private final NodePrices prices;
    private final SpotRisks risks;
    private final SplitReasons reasons;
    private final RandomGenerator random;
    private final InstantSource clock;
    private final boolean acts;
    private final Map<VersionKey, ClusterVersionSplit> versions = new HashMap<>();
    private final LastSpotNodes spotNodes = new LastSpotNodes();
    private final FunctionListeners listeners = new FunctionListeners();
    private final PeriodicTask task = new PeriodicTask("knabla-placement", "ask the spot policies", this::round);

    private volatile Map<FunctionId, Map<Integer, CapacitySplit>> splits = Map.of();

    /**
     * Where it reads what runs, what nodes cost, and what earlier leaders have learned of zones.
     *
     * @param work of replicas that hold or held resources; empty while this controller does not lead
     */
    record Sources(
            Catalog catalog,
            KnativeView view,
            Supplier<Optional<List<ReplicaInterval>>> work,
            NodePrices prices,
            SpotRisks risks) {}

    /** @param acts false to leave placement to Kubernetes and Knative */
    PolicySplits(Sources sources, PlacementReasons reasons, RandomGenerator random, InstantSource clock, boolean acts) {
        this.catalog = sources.catalog();
        this.view = sources.view();
        this.work = sources.work();
        this.prices = sources.prices();
        this.risks = sources.risks();
        this.reasons = new SplitReasons(reasons);
        this.random = random;
        this.clock = clock;
        this.acts = acts;
    }

    @Override
    public void start() {
        if (acts) {
            task.start(Duration.ZERO, FleetTiming.CLUSTER.period());
        }
    }

    @Override
    public Map<Integer, CapacitySplit> of(FunctionId function) {
        return splits.getOrDefault(function, Map.of());
    }

    @Override
    public Runnable onChange(Consumer<FunctionId> listener) {
        return listeners.add(listener);
    }

    void round() {
        work.get().ifPresentOrElse(this::decide, () -> {
            versions.clear();
            spotNodes.forget();
            risks.forget();
            publish(Map.of());
        });
    }

    private void decide(List<ReplicaInterval> rows) {
        Instant now = clock.instant();
        Map<VersionKey, List<Replica>> replicas = view.replicas().stream()
                .filter(replica -> isPresent(replica.state()))
                .collect(groupingBy(VersionKey::of));
        Map<VersionKey, List<ReplicaInterval>> running = rows.stream()
                .filter(row -> row.end() == ReplicaEnd.RUNNING)
                .collect(groupingBy(
                        row -> new VersionKey(new FunctionId(row.namespace(), row.function()), row.version())));
        var fleet = new FleetView(view.nodes(), spotNodes.absent(view.nodes()), signals(), prices);
        Map<VersionKey, FunctionSpec> specs = specs(fleet);
        versions.keySet().retainAll(specs.keySet());
        Map<FunctionId, Map<Integer, CapacitySplit>> next = new HashMap<>();
        replicas.forEach((key, own) -> Optional.ofNullable(specs.get(key)).ifPresent(spec -> {
            var split = versions.computeIfAbsent(key, _ -> new ClusterVersionSplit(risks.of(key.function())))
                    .next(spec, own, running.getOrDefault(key, List.of()), fleet, random, now);
            split.ifPresent(it ->
                    next.computeIfAbsent(key.function(), _ -> new HashMap<>()).put(key.version(), it));
            reasons.explain(own, fleet.nodes(), spec, split);
        }));
        publish(next);
    }

    private static boolean isPresent(Replica.State state) {
        return switch (state) {
            case STARTING, READY, UNRESPONSIVE, DRAINING -> true;
            case STOPPED, FAILED -> false;
        };
    }

    /** The taints are what interruptions are handled by, so that the policies know what is done. */
    private Map<String, CapacitySignal> signals() {
        Map<String, CapacitySignal> signals = new HashMap<>();
        view.nodeObjects()
                .forEach(node -> InterruptionTaint.of(node).ifPresent(taint -> {
                    String name = node.getMetadata().getName();
                    signals.put(name, new CapacitySignal(name, taint.kind(), taint.until()));
                }));
        return signals;
    }

    /**
     * Versions that a policy decides about. Until a spot node of the pool was seen there is nothing to decide on: the
     * first pending pod may bring one.
     */
    private Map<VersionKey, FunctionSpec> specs(FleetView fleet) {
        Map<VersionKey, FunctionSpec> specs = new HashMap<>();
        for (FunctionRecord record : catalog.list()) {
            record.versions().stream()
                    .filter(version -> isDivided(version.spec()))
                    .filter(version -> fleet.offersSpot(version.spec().chosenPool()))
                    .forEach(version -> specs.put(new VersionKey(record.id(), version.number()), version.spec()));
        }
        return specs;
    }

    private static boolean isDivided(FunctionSpec spec) {
        return spec.placement().capacity() == Capacity.Mixed
                && spec.placement().policy() != SpotPolicyName.OnDemandOnly
                && spec.mayUseSpot()
                && SpotTimeout.fits(spec);
    }

    private void publish(Map<FunctionId, Map<Integer, CapacitySplit>> next) {
        Set<FunctionId> changed = new HashSet<>(splits.keySet());
        changed.addAll(next.keySet());
        changed.removeIf(function -> Objects.equals(splits.get(function), next.get(function)));
        splits = next.entrySet().stream().collect(toMap(Map.Entry::getKey, entry -> Map.copyOf(entry.getValue())));
        changed.forEach(listeners::tell);
    }

    @Override
    public void close() {
        task.close();
    }
}
