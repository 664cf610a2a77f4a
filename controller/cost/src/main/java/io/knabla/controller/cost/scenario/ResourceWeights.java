package io.knabla.controller.cost.scenario;

import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;

/**
 * Weights by which a node's price is divided among its resources: OpenCost's default prices of a core-hour, a GiB-hour
 * and a GPU-hour, see <a
 * href="https://github.com/opencost/opencost/blob/develop/configs/default.json">configs/default.json</a> there. Only
 * their ratios matter.
 */
public final class ResourceWeights {
    static final BigDecimal VCPU = new BigDecimal("0.031611");
    static final BigDecimal GIB = new BigDecimal("0.004237");
    static final BigDecimal GPU = new BigDecimal("0.95");

    // The divisor is a power of two, so this is exact; multiplying by it is much faster than dividing each amount.
    private static final BigDecimal BYTE = GIB.divide(BigDecimal.valueOf(1L << 30));

    private ResourceWeights() {}

    /** Weight of all of them; the ratio of two is a share of a price. */
    public static BigDecimal of(Resources resources) {
        return vcpu(resources).add(memory(resources)).add(gpu(resources));
    }

    static BigDecimal vcpu(Resources resources) {
        return VCPU.multiply(resources.vcpus());
    }

    static BigDecimal memory(Resources resources) {
        return BYTE.multiply(BigDecimal.valueOf(resources.memoryBytes()));
    }

    static BigDecimal gpu(Resources resources) {
        return GPU.multiply(resources.gpus());
    }

    /** The larger amount of each resource. */
    static Resources max(Resources one, Resources other) {
        return new Resources(
                one.vcpus().max(other.vcpus()),
                Math.max(one.memoryBytes(), other.memoryBytes()),
                one.gpus().max(other.gpus()));
    }
}
