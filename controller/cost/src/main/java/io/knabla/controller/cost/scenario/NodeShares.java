package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.billing.Dollars;
import io.knabla.controller.cost.usage.Resources;
import java.math.BigDecimal;
import java.util.Collection;

/**
 * Shares of a node that replicas hold at one moment: of each resource, the larger of requested and used, weighted by
 * {@link ResourceWeights}. If replicas hold more of a resource than there is, they share it in proportion.
 */
final class NodeShares {
    private final Weights size;
    private final Weights held;
    private final BigDecimal whole;

    /** Weighted amounts of the three resources, computed once for a row, since a row is in many moments. */
    record Weights(BigDecimal vcpu, BigDecimal memory, BigDecimal gpu) {
        static final Weights NONE = new Weights(BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO);

        static Weights of(Resources resources) {
            return new Weights(
                    ResourceWeights.vcpu(resources), ResourceWeights.memory(resources), ResourceWeights.gpu(resources));
        }

        Weights plus(Weights other) {
            return new Weights(vcpu.add(other.vcpu), memory.add(other.memory), gpu.add(other.gpu));
        }

        BigDecimal sum() {
            return vcpu.add(memory).add(gpu);
        }
    }

    NodeShares(Weights size, Collection<ReplicaTime> holders) {
        this.size = size;
        this.held = holders.stream().map(ReplicaTime::held).reduce(Weights.NONE, Weights::plus);
        this.whole = size.sum();
    }

    /** Fraction of the node that one holder has. */
    BigDecimal of(ReplicaTime holder) {
        if (whole.signum() == 0) {
            return BigDecimal.ZERO;
        }
        Weights own = holder.held();
        return inFull(own.vcpu(), held.vcpu(), size.vcpu())
                .add(inFull(own.memory(), held.memory(), size.memory()))
                .add(inFull(own.gpu(), held.gpu(), size.gpu()))
                .divide(whole, Dollars.PRECISE);
    }

    /** Whether the holders have more of a resource than the node. */
    boolean beyondSize() {
        return held.vcpu().compareTo(size.vcpu()) > 0
                || held.memory().compareTo(size.memory()) > 0
                || held.gpu().compareTo(size.gpu()) > 0;
    }

    private static BigDecimal inFull(BigDecimal own, BigDecimal all, BigDecimal limit) {
        return all.compareTo(limit) <= 0 ? own : own.multiply(limit).divide(all, Dollars.PRECISE);
    }
}
