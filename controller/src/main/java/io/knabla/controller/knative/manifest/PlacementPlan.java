package io.knabla.controller.knative.manifest;

import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.Pool;
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
    /** Users who pay for a GPU must know that the engine does not use it yet. */
    private static final String NOT_USED_YET =
            "; Knabla's engine computes on the CPU of that node, it does not use the GPU yet";

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

    public static PlacementPlan of(FunctionSpec spec, AvailableCapacity supply) {
        Pool pool = spec.chosenPool();
        PlacementPlan plan = of(spec, pool, supply);
        return switch (pool) {
            case cpu, auto -> plan;
            case gpu -> new PlacementPlan(plan.shares, plan.reason + NOT_USED_YET);
        };
    }

    private static PlacementPlan of(FunctionSpec spec, Pool pool, AvailableCapacity supply) {
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
                        .or(() -> absent(spot, supply))
                        .map(reason -> alone(spec, onDemand, reason))
                        .orElseGet(() -> mixed(spec, onDemand, spot, supply));
        };
    }

    /** Slots that a version may use on any cluster. */
    static Set<CapacitySlot> possibleSlots(FunctionSpec spec) {
        return of(spec, new AvailableCapacity(CapacitySlot.all().collect(Collectors.toSet()), Set.of()))
                .slots();
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
        if (spec.type() == FunctionType.TrainingStep) {
            return Optional.of("a TrainingStep keeps its weights in one place, which should not be taken away");
        }
        if (!SpotTimeout.fits(spec)) {
            return Optional.of("a request may take %d s (spec.timeout), and spot capacity leaves %d s from its notice"
                    .formatted(spec.timeout().toSeconds(), SpotTimeout.LONGEST.toSeconds()));
        }
        int base = spec.placement().onDemandBase();
        if (base >= spec.scaling().max()) {
            return Optional.of("spec.placement.onDemandBase of %d is all of spec.scaling.max".formatted(base));
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
        int base = spec.placement().onDemandBase();
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
                "%d replicas of spec.placement.onDemandBase on %s take %d %% of the requests, as they are %d of at most %d; %s takes the rest"
                        .formatted(base, onDemand, percent, base, max, spot));
    }

    private static PlacementPlan mixed(
            FunctionSpec spec, CapacitySlot onDemand, CapacitySlot spot, AvailableCapacity supply) {
        if (supply.simulated().contains(spot)) {
            return besidesSpot(spec, onDemand, spot, 0, "the %s nodes are KWOK's, which only seem to run pods");
        }
        return switch (supply.spotRoom()) {
            case YES -> both(spec, onDemand, spot);
            case NO ->
                besidesSpot(
                        spec, onDemand, spot, 0, "%s nodes were taken back or have no room, and are tried again later");
            case TRIED ->
                besidesSpot(
                        spec,
                        onDemand,
                        spot,
                        Math.max(1, spec.scaling().min() - spec.placement().onDemandBase()),
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
        int min = Math.max(spec.scaling().min(), spec.placement().onDemandBase());
        int max = spec.scaling().max();
        return new PlacementPlan(
                List.of(new Share(spot, 0, spotMin, max), new Share(onDemand, 100, min, max)),
                "all on %s: %s".formatted(onDemand, reason.formatted(spot)));
    }
}
