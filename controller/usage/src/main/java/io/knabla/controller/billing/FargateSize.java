package io.knabla.controller.billing;

import io.knabla.controller.price.FargateRates;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A size that a Fargate task can have. The combinations are those of <a
 * href="https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-cpu-memory-error.html">task CPU and memory</a>
 * for Linux; a GB there is 1,024 MiB.
 *
 * @param vcpus 0.25 to 16
 * @param memoryMib 512 to 122,880
 */
public record FargateSize(BigDecimal vcpus, int memoryMib) {
    private static final int GIB = 1024;

    /** All combinations, smallest first. */
    static final List<FargateSize> ALL = Stream.of(
                    Stream.of(new FargateSize(new BigDecimal("0.25"), 512)),
                    Stream.of(1, 2).map(gib -> new FargateSize(new BigDecimal("0.25"), gib * GIB)),
                    range("0.5", 1, 4, 1),
                    range("1", 2, 8, 1),
                    range("2", 4, 16, 1),
                    range("4", 8, 30, 1),
                    range("8", 16, 60, 4),
                    range("16", 32, 120, 8))
            .flatMap(sizes -> sizes)
            .toList();

    /** The combination with at least these resources that costs least; empty if none is large enough. */
    public static Optional<FargateSize> of(Resources needed, FargateRates.Rate rate) {
        return ALL.stream()
                .filter(size -> size.vcpus.compareTo(needed.vcpus()) >= 0
                        && (long) size.memoryMib * GIB * GIB >= needed.memoryBytes())
                .min(Comparator.comparing(size -> size.perHour(rate)));
    }

    /** Dollars of an hour. */
    public BigDecimal perHour(FargateRates.Rate rate) {
        return vcpus.multiply(rate.perVcpuHour().usd())
                .add(memoryGib().multiply(rate.perGbHour().usd()));
    }

    public Resources resources() {
        return new Resources(vcpus, (long) memoryMib * GIB * GIB, 0);
    }

    private BigDecimal memoryGib() {
        // A multiple of 512 has at most one binary digit after the point, so this division is exact.
        return BigDecimal.valueOf(memoryMib).divide(BigDecimal.valueOf(GIB));
    }

    private static Stream<FargateSize> range(String vcpus, int fromGib, int toGib, int stepGib) {
        return IntStream.iterate(fromGib, gib -> gib <= toGib, gib -> gib + stepGib)
                .mapToObj(gib -> new FargateSize(new BigDecimal(vcpus), gib * GIB));
    }
}
