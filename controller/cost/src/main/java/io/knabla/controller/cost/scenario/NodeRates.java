package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;

/**
 * Price of an hour of a node, divided among its resources as in every report.
 *
 * @param vcpu dollars of an hour of one vCPU
 * @param gib dollars of an hour of one GiB of memory
 * @param gpu dollars of an hour of one GPU; zero if the node has none
 */
public record NodeRates(BigDecimal vcpu, BigDecimal gib, BigDecimal gpu) {
    private static final NodeRates NONE = new NodeRates(BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO);

    /** Rates of a node without resources are zero. */
    public static NodeRates of(Resources size, BigDecimal perHour) {
        BigDecimal weight = ResourceWeights.of(size);
        if (weight.signum() == 0) {
            return NONE;
        }
        BigDecimal unit = perHour.divide(weight, Dollars.PRECISE);
        return new NodeRates(
                unit.multiply(ResourceWeights.VCPU),
                unit.multiply(ResourceWeights.GIB),
                size.hasGpu() ? unit.multiply(ResourceWeights.GPU) : BigDecimal.ZERO);
    }
}
