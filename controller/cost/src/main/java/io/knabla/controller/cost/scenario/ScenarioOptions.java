package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.LambdaUse;
import io.knabla.controller.price.PriceBook.Architecture;
import java.math.BigDecimal;
import java.time.YearMonth;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * User-stated inputs of the scenarios.
 *
 * @param architecture that serverless offers are priced by
 * @param interruptionShare what interruptions add to a node's cost on spot, as a fraction; empty to measure it
 * @param committed number of committed instances; the peak of those that ran at once where one is absent
 * @param lambdaBefore what the account used of Lambda in a month (UTC), before the period
 */
public record ScenarioOptions(
        Architecture architecture,
        Optional<BigDecimal> interruptionShare,
        Map<InstanceKind, Integer> committed,
        Map<YearMonth, LambdaUse> lambdaBefore) {

    public static final ScenarioOptions DEFAULT =
            new ScenarioOptions(Architecture.X86_64, Optional.empty(), Map.of(), Map.of());

    public ScenarioOptions {
        committed = Map.copyOf(committed);
        lambdaBefore = Map.copyOf(lambdaBefore);
        interruptionShare.filter(share -> share.signum() < 0).ifPresent(share -> {
            throw new IllegalArgumentException(
                    "what interruptions add is a fraction of 0 or more, such as 0.05, but it is " + share);
        });
        committed.forEach((kind, count) -> {
            if (count < 0) {
                throw new IllegalArgumentException(
                        "the number of committed %s is 0 or more, but it is %d".formatted(kind, count));
            }
        });
    }

    /** The architecture as prices and reports name it, such as {@code x86_64}. */
    String architectureName() {
        return architecture.name().toLowerCase(Locale.ROOT);
    }

    /** An instance type in a region, which is what a commitment is for. */
    public record InstanceKind(String instanceType, String region) implements Comparable<InstanceKind> {
        @Override
        public int compareTo(InstanceKind other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return instanceType + " " + region;
        }
    }
}
