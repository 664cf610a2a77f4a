package io.knabla.controller.knative.manifest;

import io.knabla.controller.catalog.PoolDecision;
import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.spot.live.CapacitySplit;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import io.knabla.functions.spec.GpuShare;
import io.knabla.functions.spec.SpotTimeout;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides which capacity slots a version uses and each slot's share of requests and replicas: a pure decision.
 *
 * @param reason one sentence for people
 */
public record PlacementPlan(List<Share> shares, String reason) {
    /**
     * One slot's share of a version.
     *
     * @param percent of the version's requests; all shares add up to 100
     * @param min replicas that always run
     */
    public record Share(CapacitySlot slot, int percent, int min, int max) {}

    public PlacementPlan {
        shares = List.copyOf(shares);
    }

    /** @param split how the spot policy divides the replicas now; empty while it leaves that to Knative */
    public static PlacementPlan of(FunctionSpec spec, AvailableCapacity supply, Optional<CapacitySplit> split) {
        Pool pool = spec.chosenPool();
        PlacementPlan plan = of(spec, pool, supply, split);
        return switch (pool) {
            case cpu, auto -> plan;
            case gpu -> new PlacementPlan(plan.shares, plan.reason + share(spec));
        };
    }

    /** @param pool why the deploy chose the pool; empty where the file names it */
    PlacementPlan decidedBy(Optional<PoolDecision> pool) {
        return pool.map(decision ->
                        new PlacementPlan(shares, reason + "; spec.placement.pool is auto: " + decision.reason()))
                .orElse(this);
    }

    private static String share(FunctionSpec spec) {
        double gpu = spec.resources().gpu();
        return GpuShare.isShare(gpu)
                ? "; gpu: %s runs on nodes that offer each GPU in %d shares (label %s); if nodes offer whole GPUs, write gpu: 1, or let the device plugin share them"
                        .formatted(GpuShare.text(gpu), GpuShare.parts(gpu), ClusterNode.GPU_REPLICAS)
                : "";
    }

    private static PlacementPlan of(
            FunctionSpec spec, Pool pool, AvailableCapacity supply, Optional<CapacitySplit> split) {
        CapacitySlot onDemand = new CapacitySlot(pool, CapacityType.OnDemand);
        CapacitySlot spot = new CapacitySlot(pool, CapacityType.Spot);
        return switch (spec.placement().capacity()) {
            case Capacity.OnDemand -> alone(spec, onDemand, "spec.placement.capacity asks for on-demand capacity");
            case Capacity.Spot ->
                alone(
                        spec,
                        spot,
                        "spec.placement.capacity asks for spot capacity"
                                + unfitForSpot(spec).map(", though "::concat).orElse(""));
            case Capacity.Mixed ->
                unfitForSpot(spec)
                        .or(() -> excludedByPolicy(spec))
                        .map(reason -> alone(spec, onDemand, reason))
                        .or(() -> spotOnly(spec, spot))
                        .or(() -> absent(spot, supply).map(reason -> alone(spec, onDemand, reason)))
                        .orElseGet(() -> mixed(spec, onDemand, spot, supply, split));
        };
    }

    private static Optional<String> excludedByPolicy(FunctionSpec spec) {
        return spec.placement().policy() == SpotPolicyName.OnDemandOnly
                ? Optional.of("spec.placement.policy is OnDemandOnly")
                : Optional.empty();
    }

    private static Optional<PlacementPlan> spotOnly(FunctionSpec spec, CapacitySlot spot) {
        return spec.placement().policy() == SpotPolicyName.SpotOnly
                        && spec.placement().leastOnDemand() == 0
                ? Optional.of(alone(spec, spot, "spec.placement.policy is SpotOnly"))
                : Optional.empty();
    }

    /** Slots that a version may use on any cluster. */
    static Set<CapacitySlot> possibleSlots(FunctionSpec spec) {
        var everywhere = new AvailableCapacity(CapacitySlot.all().collect(Collectors.toSet()), Set.of());
        return of(spec, everywhere, Optional.empty()).slots();
    }

    Set<CapacitySlot> slots() {
        return shares.stream().map(Share::slot).collect(Collectors.toUnmodifiableSet());
    }

    private static PlacementPlan alone(FunctionSpec spec, CapacitySlot slot, String reason) {
        FunctionSpec.Scaling scaling = spec.scaling();
        return new PlacementPlan(
                List.of(new Share(slot, 100, scaling.min(), scaling.max())), "all on %s: %s".formatted(slot, reason));
    }

    private static Optional<String> unfitForSpot(FunctionSpec spec) {
        if (!spec.mayUseSpot()) {
            return Optional.of(
                    "a %s keeps its weights in one place, which should not be taken away".formatted(spec.type()));
        }
        if (!SpotTimeout.fits(spec)) {
            return Optional.of("a request may take %d s (spec.timeout), and spot capacity leaves %d s from its notice"
                    .formatted(spec.timeout().toSeconds(), SpotTimeout.LONGEST.toSeconds()));
        }
        int base = spec.placement().leastOnDemand();
        if (base >= spec.scaling().max()) {
            return Optional.of("%s is all of spec.scaling.max".formatted(baseText(spec)));
        }
        return Optional.empty();
    }

    private static Optional<String> absent(CapacitySlot spot, AvailableCapacity supply) {
        return supply.has(spot)
                ? Optional.empty()
                : Optional.of("the cluster has no %s node, and no Karpenter NodePool that brings one".formatted(spot));
    }

    /** Percentages stay fixed while load changes, so they match full load, at which every slot is at its maximum. */
    private static PlacementPlan both(FunctionSpec spec, CapacitySlot onDemand, CapacitySlot spot) {
        int base = spec.placement().leastOnDemand();
        int min = spec.scaling().min();
        int max = spec.scaling().max();
        if (base == 0) {
            return new PlacementPlan(
                    List.of(new Share(spot, 100, min, max), new Share(onDemand, 0, 0, max)),
                    "all on %s; %s stands by at no replica, as spec.placement.onDemandBase is 0"
                            .formatted(spot, onDemand));
        }
        int percent = Math.clamp(Math.round(100.0 * base / max), 1, 99);
        return new PlacementPlan(
                List.of(
                        new Share(spot, 100 - percent, Math.max(0, min - base), max - base),
                        new Share(onDemand, percent, base, base)),
                "%s on %s takes %d %% of the requests, as it is %d of at most %d replicas; %s takes the rest"
                        .formatted(baseText(spec), onDemand, percent, base, max, spot));
    }

    private static String baseText(FunctionSpec spec) {
        int asked = spec.placement().onDemandBase();
        int base = spec.placement().leastOnDemand();
        return base > asked ? "the replica of policy StaticMix" : "spec.placement.onDemandBase of %d".formatted(asked);
    }

    /**
     * The replicas that the policy wants, where Knative would not run them by itself: more on spot capacity than the
     * load needs, or some on demand while spot ones are missing. The latter keep their share of the load until spot
     * ones are ready, so spot capacity may have all of them meanwhile.
     */
    private static PlacementPlan divided(
            FunctionSpec spec, CapacitySlot onDemand, CapacitySlot spot, CapacitySplit split) {
        int base = spec.placement().leastOnDemand();
        int max = spec.scaling().max();
        PlacementPlan usual = both(spec, onDemand, spot);
        Share usualSpot = usual.shares.getFirst();
        int spotMin = Math.max(usualSpot.min, Math.min(split.spot(), usualSpot.max));
        SpotPolicyName policy = spec.placement().policy();
        if (split.onDemand() <= base) {
            return new PlacementPlan(
                    List.of(new Share(spot, usualSpot.percent, spotMin, usualSpot.max), usual.shares.getLast()),
                    "%s; policy %s runs %d more than the load needs"
                            .formatted(usual.reason, policy, split.spot() + base - split.target()));
        }
        int percent = Math.clamp(Math.round(100.0 * split.onDemand() / split.target()), 1, 100);
        int covering = Math.min(split.onDemand(), max);
        return new PlacementPlan(
                List.of(
                        new Share(spot, 100 - percent, spotMin, usualSpot.max),
                        new Share(onDemand, percent, covering, Math.max(covering, Math.ceilDiv(max * percent, 100)))),
                "policy %s runs %d of %d replicas on %s, which take %d %% of the requests, as too few are ready on %s"
                        .formatted(policy, covering, split.target(), onDemand, percent, spot));
    }

    private static PlacementPlan mixed(
            FunctionSpec spec,
            CapacitySlot onDemand,
            CapacitySlot spot,
            AvailableCapacity supply,
            Optional<CapacitySplit> split) {
        if (supply.simulated().contains(spot)) {
            return besidesSpot(spec, onDemand, spot, 0, "the %s nodes are KWOK's, which only seem to run pods");
        }
        return switch (supply.spotRoom()) {
            case YES -> split.map(it -> divided(spec, onDemand, spot, it)).orElseGet(() -> both(spec, onDemand, spot));
            case NO ->
                besidesSpot(
                        spec, onDemand, spot, 0, "%s nodes were taken back or have no room, and are tried again later");
            case TRIED ->
                besidesSpot(
                        spec,
                        onDemand,
                        spot,
                        Math.max(1, spec.scaling().min() - spec.placement().leastOnDemand()),
                        "%s nodes had no room, and get requests again when a replica is ready there");
        };
    }

    /**
     * Keeps all objects of spot capacity, but sends requests only to nodes that answer.
     *
     * @param spotMin replicas on spot capacity in spite of that
     * @param reason with a place for the slot
     */
    private static PlacementPlan besidesSpot(
            FunctionSpec spec, CapacitySlot onDemand, CapacitySlot spot, int spotMin, String reason) {
        int min = Math.max(spec.scaling().min(), spec.placement().leastOnDemand());
        int max = spec.scaling().max();
        return new PlacementPlan(
                List.of(new Share(spot, 0, spotMin, max), new Share(onDemand, 100, min, max)),
                "all on %s: %s".formatted(onDemand, reason.formatted(spot)));
    }
}
