package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.FargateBilling;
import io.knabla.controller.billing.FargateSize;
import io.knabla.controller.billing.Period;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.price.FargateRates;
import io.knabla.controller.price.FargateRates.Rate;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Prices each replica as a Fargate task of the cheapest size that what it requested fits in, at the rate of its start,
 * or of the period's begin if that is later; changes of the rate while it runs are not followed.
 */
final class FargateTasks {
    private final ScenarioInput input;
    private final ScenarioResultBuilder builder;
    private final Map<Need, Optional<FargateSize>> sizes = new HashMap<>();

    FargateTasks(ScenarioInput input, ScenarioResultBuilder builder) {
        this.input = input;
        this.builder = builder;
    }

    private record Need(Resources resources, Rate rate) {}

    private record Offer(String name, Rate rate, BigDecimal interruptionShare) {}

    private record Region(String name, FargateRates rates) {}

    void addOnDemand() {
        Scenarios.addUseAssumption(input, builder);
        for (ReplicaInterval replica : input.replicas()) {
            region(replica)
                    .map(region -> new Offer(
                            subject("Fargate", region.name()), region.rates().onDemand(), BigDecimal.ZERO))
                    .ifPresent(offer -> addTask(replica, offer));
        }
    }

    /** Tasks of replicas that ran on spot had their interruptions; only the others get the share that these add. */
    void addSpot() {
        Scenarios.addUseAssumption(input, builder);
        InterruptionShare share = InterruptionShare.of(input);
        builder.assume(share.assumption());
        for (ReplicaInterval replica : input.replicas()) {
            region(replica).ifPresent(region -> addSpotTask(replica, region, share.fraction()));
        }
    }

    private void addSpotTask(ReplicaInterval replica, Region region, BigDecimal share) {
        String name = subject("Fargate Spot", region.name());
        Optional<Rate> spot = region.rates().spot();
        if (spot.isEmpty()) {
            addUnpriced(Unpriced.Reason.NO_FARGATE_SPOT_RATES, replica, name);
            return;
        }
        addTask(replica, new Offer(name, spot.get(), ranOnSpot(replica) ? BigDecimal.ZERO : share));
    }

    private String subject(String offer, String region) {
        return "%s %s %s".formatted(offer, region, input.options().architectureName());
    }

    private boolean ranOnSpot(ReplicaInterval replica) {
        return input.rows()
                .nodeOf(replica)
                .filter(node -> node.capacity() == CapacityType.SPOT)
                .isPresent();
    }

    private Optional<Region> region(ReplicaInterval replica) {
        Optional<NodeInterval> node = input.rows().nodeOf(replica);
        if (replica.requested().hasGpu()) {
            addUnpriced(Unpriced.Reason.GPU_NOT_OFFERED, replica, "Fargate");
            return Optional.empty();
        }
        if (node.isEmpty()) {
            addUnpriced(Unpriced.Reason.UNKNOWN_REGION, replica, "Fargate, node " + replica.node());
            return Optional.empty();
        }
        String region = node.get().region();
        Instant asked = input.period().laterOf(replica.time().start());
        Optional<FargateRates> rates =
                input.book().fargate(region, input.options().architecture(), asked);
        if (rates.isEmpty()) {
            addUnpriced(Unpriced.Reason.NO_FARGATE_RATES, replica, subject("Fargate", region));
        }
        return rates.map(known -> new Region(region, known));
    }

    private void addTask(ReplicaInterval replica, Offer offer) {
        Optional<FargateSize> size = sizes.computeIfAbsent(
                new Need(replica.requested(), offer.rate()), need -> FargateSize.of(need.resources(), need.rate()));
        if (size.isEmpty()) {
            addUnpriced(Unpriced.Reason.TOO_LARGE, replica, offer.name() + ", for " + replica.requested());
            return;
        }
        String version = FunctionVersion.of(replica).toString();
        builder.used("a vCPU-hour of " + offer.name(), offer.rate().perVcpuHour());
        builder.used("a GB-hour of " + offer.name(), offer.rate().perGbHour());
        builder.assume(new Assumption(
                Assumption.Kind.FARGATE_VCPUS, version, size.get().vcpus()));
        builder.assume(new Assumption(
                Assumption.Kind.FARGATE_MEMORY,
                version,
                BigDecimal.valueOf(size.get().memoryMib())));
        addLines(replica, size.get(), offer);
    }

    private void addLines(ReplicaInterval replica, FargateSize size, Offer offer) {
        Period period = input.period();
        BigDecimal perHour = size.perHour(offer.rate());
        ReplicaTime life = ReplicaTime.of(
                replica, period, size.resources(), input.replacements().overlapWithReplacement(replica));
        Map<CostPart, BigDecimal> weights = weights(life, perHour);
        BigDecimal ran = weights.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal after = perHour.multiply(FargateBilling.secondsAfterEnd(replica.time(), period));
        BigDecimal added = ran.add(after).multiply(offer.interruptionShare());
        weights.merge(CostPart.OVERHEAD, after.add(added), BigDecimal::add);
        BigDecimal total = Dollars.ofHourly(ran.add(after).add(added));
        Iterator<BigDecimal> amounts =
                Dollars.split(total, List.copyOf(weights.values())).iterator();
        weights.keySet().forEach(part -> builder.add(CostLine.ofReplica(replica, part, amounts.next())));
    }

    private Map<CostPart, BigDecimal> weights(ReplicaTime life, BigDecimal perHour) {
        Map<CostPart, BigDecimal> weights = new EnumMap<>(CostPart.class);
        Optional<Interval> part = input.period().part(life.row().time());
        List<Instant> changes =
                part.map(time -> new ArrayList<>(changes(life, time))).orElseGet(ArrayList::new);
        for (int i = 0; i + 1 < changes.size(); i++) {
            BigDecimal seconds = Dollars.seconds(Duration.between(changes.get(i), changes.get(i + 1)));
            life.addTo(weights, changes.get(i), seconds.multiply(perHour));
        }
        return weights;
    }

    private static TreeSet<Instant> changes(ReplicaTime life, Interval part) {
        Instant end = part.end().orElseThrow();
        TreeSet<Instant> changes = new TreeSet<>(List.of(life.ready(), part.start(), end));
        life.doubled().ifPresent(time -> {
            changes.add(time.start());
            changes.add(time.end().orElseThrow());
        });
        return new TreeSet<>(changes.subSet(part.start(), true, end, true));
    }

    private void addUnpriced(Unpriced.Reason reason, ReplicaInterval replica, String subject) {
        Interval time = input.period().part(replica.time()).orElse(replica.time());
        builder.addUnpriced(new Unpriced(reason, replica.id(), subject, time));
    }
}
