package io.knabla.controller.cost.report;

import io.knabla.controller.cost.scenario.UsageSummary.ResourceSeconds;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;

/**
 * What the replicas of a row held, used and did.
 *
 * @param replicaSeconds sum of the replicas' times
 * @param used what they used; zero also where use was not measured
 */
public record UsageTotals(BigDecimal replicaSeconds, ResourceSeconds requested, ResourceSeconds used, Work work) {
    private static final ResourceSeconds NOTHING =
            new ResourceSeconds(BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO);
    private static final BigDecimal BYTES_PER_GIB = BigDecimal.valueOf(1L << 30);

    public static final UsageTotals NONE = new UsageTotals(BigDecimal.ZERO, NOTHING, NOTHING, Work.NONE);

    /** The same with other work. */
    UsageTotals with(Work other) {
        return new UsageTotals(replicaSeconds, requested, used, other);
    }

    public UsageTotals plus(UsageTotals other) {
        return new UsageTotals(
                replicaSeconds.add(other.replicaSeconds),
                sum(requested, other.requested),
                sum(used, other.used),
                work.plus(other.work));
    }

    /** Memory times seconds, in GiB of 2<sup>30</sup> bytes, which providers call GB. */
    public static BigDecimal gibSeconds(ResourceSeconds amount) {
        // The divisor is a power of two, so the division is exact.
        return amount.memoryBytes().divide(BYTES_PER_GIB);
    }

    private static ResourceSeconds sum(ResourceSeconds one, ResourceSeconds other) {
        return new ResourceSeconds(
                one.vcpu().add(other.vcpu()),
                one.memoryBytes().add(other.memoryBytes()),
                one.gpu().add(other.gpu()));
    }
}
