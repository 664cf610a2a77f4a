package io.knabla.controller.knative.usage;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.cost.scenario.ResourceWeights;
import io.knabla.controller.knative.resource.FunctionObjectStatus.Cost;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.PriceBook.TimedPrice;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Prices what a function holds at one moment: the shares of nodes that its replicas requested. Pure. */
public final class CostNow {
    /** So few digits that the cost changes only with the replicas or a price. */
    private static final MathContext SHOWN = new MathContext(2, RoundingMode.HALF_UP);

    private CostNow() {}

    private record PerHour(BigDecimal asItRuns, BigDecimal onDemand) {
        static final PerHour NOTHING = new PerHour(BigDecimal.ZERO, BigDecimal.ZERO);

        PerHour plus(PerHour other) {
            return new PerHour(asItRuns.add(other.asItRuns), onDemand.add(other.onDemand));
        }

        PerHour times(BigDecimal share) {
            return new PerHour(asItRuns.multiply(share), onDemand.multiply(share));
        }
    }

    /**
     * @param pods of the function
     * @param nodes of the cluster
     * @return empty if one of the replicas runs on a node without a known price
     */
    public static Optional<Cost> of(List<Pod> pods, List<Node> nodes, PriceBook book, Instant at) {
        PerHour sum = PerHour.NOTHING;
        for (Pod pod : pods.stream().filter(CostNow::runs).toList()) {
            Optional<PerHour> cost = nodes.stream()
                    .filter(node ->
                            node.getMetadata().getName().equals(pod.getSpec().getNodeName()))
                    .findFirst()
                    .map(node -> NodeUsage.of(node, Optional.empty(), false))
                    .flatMap(node -> perHour(pod, node, book, at));
            if (cost.isEmpty()) {
                return Optional.empty();
            }
            sum = sum.plus(cost.get());
        }
        return Optional.of(shown(sum));
    }

    private static boolean runs(Pod pod) {
        return PodStatusReader.scheduled(pod).isPresent()
                && PodEnd.of(pod, Optional.empty(), false).isEmpty();
    }

    private static Optional<PerHour> perHour(Pod pod, NodeInterval node, PriceBook book, Instant at) {
        BigDecimal size = ResourceWeights.of(node.size());
        if (size.signum() == 0) {
            return Optional.empty();
        }
        BigDecimal share = ResourceWeights.of(Amounts.requested(pod))
                .divide(size, MathContext.DECIMAL64)
                .min(BigDecimal.ONE);
        return book.onDemand(node.instanceType(), node.region(), at)
                .flatMap(onDemand -> price(node, onDemand, book, at)
                        .map(price -> new PerHour(price.usd(), onDemand.usd()).times(share)));
    }

    private static Optional<Price> price(NodeInterval node, Price onDemand, PriceBook book, Instant at) {
        if (node.capacity() == CapacityType.ON_DEMAND) {
            return Optional.of(onDemand);
        }
        return book.spot(node.instanceType(), node.region(), node.zoneId(), Interval.of(at, at.plusNanos(1))).stream()
                .map(TimedPrice::perHour)
                .findFirst();
    }

    private static Cost shown(PerHour cost) {
        String perHour = cost.asItRuns().signum() == 0
                ? "0"
                : cost.asItRuns().round(SHOWN).stripTrailingZeros().toPlainString();
        return new Cost(perHour, cost.onDemand().signum() == 0 ? null : saved(cost));
    }

    private static String saved(PerHour cost) {
        return BigDecimal.ONE
                        .subtract(cost.asItRuns().divide(cost.onDemand(), MathContext.DECIMAL64))
                        .movePointRight(2)
                        .setScale(0, RoundingMode.HALF_UP)
                + "%";
    }
}
