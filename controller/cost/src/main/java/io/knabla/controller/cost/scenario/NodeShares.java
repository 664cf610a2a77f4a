package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;

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

        Weights minus(Weights other) {
            return new Weights(vcpu.subtract(other.vcpu), memory.subtract(other.memory), gpu.subtract(other.gpu));
        }

        /** Whether these are more of a resource. */
        boolean exceeds(Weights limit) {
            return vcpu.compareTo(limit.vcpu) > 0 || memory.compareTo(limit.memory) > 0 || gpu.compareTo(limit.gpu) > 0;
        }

        BigDecimal sum() {
            return vcpu.add(memory).add(gpu);
        }
    }

    /** @param held by all holders; no more than one of them has where they fit on the node */
    NodeShares(Weights size, Weights held) {
        this.size = size;
        this.held = held;
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

    private static BigDecimal inFull(BigDecimal own, BigDecimal all, BigDecimal limit) {
        return all.compareTo(limit) <= 0 ? own : own.multiply(limit).divide(all, Dollars.PRECISE);
    }
}
