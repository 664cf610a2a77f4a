package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a version held, used and did in a period.
 *
 * @param requested what it reserved
 * @param used what it used; zero also where use was not measured
 */
public record UsageSummary(ResourceSeconds requested, ResourceSeconds used, Work work) {

    /** Amounts of resources times seconds. */
    public record ResourceSeconds(BigDecimal vcpu, BigDecimal memoryBytes, BigDecimal gpu) {
        static ResourceSeconds of(Resources resources, BigDecimal seconds) {
            return new ResourceSeconds(
                    resources.vcpus().multiply(seconds),
                    BigDecimal.valueOf(resources.memoryBytes()).multiply(seconds),
                    resources.gpus().multiply(seconds));
        }

        ResourceSeconds plus(ResourceSeconds other) {
            return new ResourceSeconds(vcpu.add(other.vcpu), memoryBytes.add(other.memoryBytes), gpu.add(other.gpu));
        }
    }

    /** Summaries of the same rows that the scenarios price. */
    public static Map<FunctionVersion, UsageSummary> of(UsageRows rows, Period period) {
        Map<FunctionVersion, UsageSummary> summaries = new TreeMap<>();
        for (ReplicaInterval replica : UsageCheck.check(rows, period).replicas()) {
            of(replica, period)
                    .ifPresent(summary -> summaries.merge(FunctionVersion.of(replica), summary, UsageSummary::plus));
        }
        return summaries;
    }

    /**
     * Summary of one replica; empty if it did not run in the period.
     *
     * @param replica of {@link CheckedUsage}
     */
    public static Optional<UsageSummary> of(ReplicaInterval replica, Period period) {
        return period.part(replica.time()).map(part -> {
            BigDecimal seconds =
                    Dollars.seconds(Duration.between(part.start(), part.end().orElseThrow()));
            return new UsageSummary(
                    ResourceSeconds.of(replica.requested(), seconds),
                    ResourceSeconds.of(replica.used(), seconds),
                    WorkInPeriod.of(replica, period));
        });
    }

    private UsageSummary plus(UsageSummary other) {
        return new UsageSummary(requested.plus(other.requested), used.plus(other.used), work.plus(other.work));
    }
}
