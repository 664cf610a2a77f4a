package io.knabla.controller.price;

import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.util.Optional;

/** Looks up what an EC2 instance type has, in the bundled table. */
public final class InstanceSizes {
    static final String SIZES_2024 = "aws-ec2-sizes-2024-04.csv";
    private static final BigDecimal GIB = BigDecimal.valueOf(1L << 30);

    private InstanceSizes() {}

    /** Reads the file; empty if the type is not in it. */
    public static Optional<Resources> of(String instanceType) {
        return PriceCsv.bundled(SIZES_2024).stream()
                .filter(row -> row.text("instance_type").equals(instanceType))
                .findFirst()
                .map(row -> new Resources(
                        row.amount("vcpu"),
                        row.amount("memory_gib").multiply(GIB).longValueExact(),
                        row.amount("gpu_count").intValueExact()));
    }
}
