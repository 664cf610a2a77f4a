package io.knabla.controller.price;

import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Turns prices that the user declares into rows of quality {@link Quality#DECLARED}. */
public final class DeclaredPrices {
    static final String CURRENCY = "USD";

    private static final BigDecimal HOURS_PER_YEAR = BigDecimal.valueOf(365L * 24);
    private static final BigDecimal WATTS_PER_KILOWATT = BigDecimal.valueOf(1000);

    private DeclaredPrices() {}

    /**
     * Adds declared prices to a book; they come before its own.
     *
     * @param source where they are declared, as people know it
     * @param read when it was read
     * @throws PriceFaultsException with all faults of all prices
     */
    public static PriceBook over(PriceBook book, List<DeclaredPrice> prices, String source, Instant read) {
        return new LayeredBook(List.of(new RowBook(rows(prices, source, read)), book));
    }

    /** @throws PriceFaultsException with all faults of all prices */
    public static List<PriceRow> rows(List<DeclaredPrice> prices, String source, Instant read) {
        PriceFaultsException.throwIfAny(DeclaredFaults.of(prices));
        return IntStream.range(0, prices.size())
                .mapToObj(i -> row(
                        prices.get(i),
                        new Provenance(Quality.DECLARED, "%s, %s".formatted(source, DeclaredFaults.path(i)), read)))
                .toList();
    }

    private static PriceRow row(DeclaredPrice price, Provenance from) {
        Interval time = new Interval(price.from().orElse(Instant.MIN), price.until());
        return switch (price.offer()) {
            case DeclaredPrice.Instance it ->
                new PriceRow.OnDemand(it.instanceType(), it.region(), time, new Price(it.perHour(), from));
            case DeclaredPrice.SpotInstance it ->
                new PriceRow.Spot(it.instanceType(), it.region(), it.zoneId(), time, new Price(it.perHour(), from));
            case DeclaredPrice.OwnMachine it ->
                new PriceRow.OnDemand(it.instanceType(), it.region(), time, new Price(hourly(it), from));
            case DeclaredPrice.ServerlessGpu it ->
                new PriceRow.ServerlessGpu(it.name(), time, new Price(it.perGpuSecond(), from));
            case DeclaredPrice.FargateSpot it ->
                new PriceRow.FargateSpot(
                        it.region(),
                        it.architecture(),
                        time,
                        new FargateRates.Rate(new Price(it.perVcpuHour(), from), new Price(it.perGbHour(), from)));
        };
    }

    /**
     * Purchase price over the hours of its life plus power: (purchase x 1000 + watts x perKilowattHour x hours) / (1000
     * x hours), rounded once, to 34 digits.
     */
    private static BigDecimal hourly(DeclaredPrice.OwnMachine machine) {
        BigDecimal hours = machine.years().multiply(HOURS_PER_YEAR);
        BigDecimal power = machine.watts().multiply(machine.perKilowattHour()).multiply(hours);
        return machine.purchasePrice()
                .multiply(WATTS_PER_KILOWATT)
                .add(power)
                .divide(WATTS_PER_KILOWATT.multiply(hours), MathContext.DECIMAL128);
    }
}
