package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Dollars of a unit of work, failures and retries included in the cost and not in the units; empty where none was done.
 *
 * @param perThousandRequests of answered requests
 * @param perMillionElements of tensor elements of answered requests
 * @param perTrainingStep empty also if the steps are not known
 */
public record UnitFigures(
        Optional<BigDecimal> perThousandRequests,
        Optional<BigDecimal> perMillionElements,
        Optional<BigDecimal> perTrainingStep) {

    public static UnitFigures of(BigDecimal usd, Work work, OptionalLong trainingSteps) {
        return new UnitFigures(
                per(usd, work.succeeded(), 1_000),
                per(usd, work.elements(), 1_000_000),
                per(usd, trainingSteps.orElse(0), 1));
    }

    private static Optional<BigDecimal> per(BigDecimal usd, long units, long unit) {
        return units == 0
                ? Optional.empty()
                : Optional.of(usd.multiply(BigDecimal.valueOf(unit))
                        .divide(BigDecimal.valueOf(units), Dollars.SCALE, RoundingMode.HALF_EVEN));
    }
}
