package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.UnitFigures;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Use and cost of one function, or of another group, over the period of a {@link CostTable}.
 *
 * @param split dollars of {@code cost} by what they went to, as far as prices are known; has every kind
 * @param cost under the table's main scenario
 * @param others the same usage under the other scenarios, in the order of {@link Scenario}
 */
public record CostRow(
        Group group, UsageTotals use, Map<CostKind, BigDecimal> split, Amount cost, Map<Scenario, Amount> others) {
    public CostRow {
        Map<CostKind, BigDecimal> every = new EnumMap<>(CostKind.class);
        for (CostKind kind : CostKind.values()) {
            every.put(kind, split.getOrDefault(kind, Dollars.ZERO));
        }
        split = Collections.unmodifiableMap(every);
        Map<Scenario, Amount> ordered = new EnumMap<>(Scenario.class);
        ordered.putAll(others);
        others = Collections.unmodifiableMap(ordered);
    }

    /**
     * Dollars that the main scenario costs less than all on demand.
     *
     * @param usd negative if it costs more
     * @param share of the cost on demand, to 6 digits; empty if that is zero
     */
    public record Saving(BigDecimal usd, Optional<BigDecimal> share) {}

    /** Empty unless both costs are known in full. */
    public Optional<Saving> saved() {
        return Optional.ofNullable(others.get(Scenario.ALL_ON_DEMAND))
                .flatMap(Amount::whole)
                .flatMap(onDemand -> cost.whole().map(usd -> saving(usd, onDemand)));
    }

    private static Saving saving(BigDecimal usd, BigDecimal onDemand) {
        BigDecimal saved = onDemand.subtract(usd);
        return new Saving(
                saved,
                onDemand.signum() == 0
                        ? Optional.empty()
                        : Optional.of(saved.divide(onDemand, 6, RoundingMode.HALF_EVEN)));
    }

    /** Dollars of a unit of work; empty unless the cost is known in full. */
    public UnitFigures perUnit() {
        return cost.whole()
                .map(usd -> UnitFigures.of(usd, use.work(), OptionalLong.empty()))
                .orElseGet(() -> new UnitFigures(Optional.empty(), Optional.empty(), Optional.empty()));
    }

    /** Sums of two rows of one table. */
    CostRow plus(CostRow other) {
        Map<CostKind, BigDecimal> bothSplit = new EnumMap<>(split);
        other.split.forEach((kind, usd) -> bothSplit.merge(kind, usd, BigDecimal::add));
        Map<Scenario, Amount> bothOthers = new EnumMap<>(Scenario.class);
        bothOthers.putAll(others);
        other.others.forEach((scenario, amount) -> bothOthers.merge(scenario, amount, Amount::plus));
        return new CostRow(group, use.plus(other.use), bothSplit, cost.plus(other.cost), bothOthers);
    }
}
