package io.knabla.controller.cost.usage;

import java.math.BigDecimal;

/**
 * Amounts of the resources that are paid for.
 *
 * @param vcpus virtual CPUs; fractions of one are usual
 * @param memoryBytes bytes of memory
 * @param gpus whole GPUs
 */
public record Resources(BigDecimal vcpus, long memoryBytes, int gpus) {
    public static final Resources NONE = new Resources(BigDecimal.ZERO, 0, 0);

    public Resources {
        if (vcpus.signum() < 0 || memoryBytes < 0 || gpus < 0) {
            throw new IllegalArgumentException("resources are not negative, but there are %s CPUs, %d bytes, %d GPUs"
                    .formatted(vcpus, memoryBytes, gpus));
        }
    }
}
