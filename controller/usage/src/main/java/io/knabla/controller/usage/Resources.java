package io.knabla.controller.usage;

import java.math.BigDecimal;

/**
 * Amounts of the resources that are paid for.
 *
 * @param vcpus virtual CPUs; fractions of one are usual
 * @param memoryBytes bytes of memory
 * @param gpus GPUs; a share of one is a fraction
 */
public record Resources(BigDecimal vcpus, long memoryBytes, BigDecimal gpus) {
    public static final Resources NONE = new Resources(BigDecimal.ZERO, 0, 0);

    public Resources {
        gpus = canonical(gpus);
        if (vcpus.signum() < 0 || memoryBytes < 0 || gpus.signum() < 0) {
            throw new IllegalArgumentException("resources are not negative, but there are %s CPUs, %d bytes, %s GPUs"
                    .formatted(vcpus, memoryBytes, gpus));
        }
    }

    /** With whole GPUs. */
    public Resources(BigDecimal vcpus, long memoryBytes, int gpus) {
        this(vcpus, memoryBytes, BigDecimal.valueOf(gpus));
    }

    public boolean hasGpu() {
        return gpus.signum() > 0;
    }

    /** Equal shares are equal objects, whatever they were computed from. */
    private static BigDecimal canonical(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}
