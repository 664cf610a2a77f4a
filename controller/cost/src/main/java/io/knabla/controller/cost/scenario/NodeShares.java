package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.billing.Dollars;
import io.knabla.controller.cost.usage.Resources;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Shares of a node that replicas hold at one moment: of each resource, the larger of requested and used, weighted by
 * {@link ResourceWeights}. If replicas hold more of a resource than there is, they share it in proportion.
 */
record NodeShares(Resources size, Collection<ReplicaTime> holders) {
    private static final List<Function<Resources, BigDecimal>> RESOURCES =
            List.of(ResourceWeights::vcpu, ResourceWeights::memory, ResourceWeights::gpu);

    static Resources held(ReplicaTime holder) {
        return ResourceWeights.max(holder.row().requested(), holder.row().used());
    }

    /** Fraction of the node that one holder has. */
    BigDecimal of(ReplicaTime holder) {
        BigDecimal whole = ResourceWeights.of(size);
        if (whole.signum() == 0) {
            return BigDecimal.ZERO;
        }
        return RESOURCES.stream()
                .map(weight -> weight.apply(held(holder)).multiply(inFull(weight), Dollars.PRECISE))
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .divide(whole, Dollars.PRECISE);
    }

    /** Whether the holders have more of a resource than the node. */
    boolean beyondSize() {
        return RESOURCES.stream().anyMatch(weight -> sum(weight).compareTo(weight.apply(size)) > 0);
    }

    /** Share of what it asks for that each holder gets of a resource. */
    private BigDecimal inFull(Function<Resources, BigDecimal> weight) {
        BigDecimal sum = sum(weight);
        BigDecimal limit = weight.apply(size);
        return sum.compareTo(limit) <= 0 ? BigDecimal.ONE : limit.divide(sum, Dollars.PRECISE);
    }

    private BigDecimal sum(Function<Resources, BigDecimal> weight) {
        return holders.stream().map(holder -> weight.apply(held(holder))).reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
