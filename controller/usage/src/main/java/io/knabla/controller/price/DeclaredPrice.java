package io.knabla.controller.price;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;

/**
 * A price that the user states under {@code prices:} of config.yaml; not checked yet, see {@link DeclaredPrices}.
 *
 * @param currency must be {@code USD}
 * @param from inclusive; empty for always
 * @param until exclusive; empty for ever
 */
public record DeclaredPrice(Offer offer, String currency, Optional<Instant> from, Optional<Instant> until) {
    /** A price in US dollars that holds always. */
    public static DeclaredPrice always(Offer offer) {
        return new DeclaredPrice(offer, DeclaredPrices.CURRENCY, Optional.empty(), Optional.empty());
    }

    /** What is priced; regions and zones may be {@link PriceRow#ANY}, a field that was not given is null. */
    public sealed interface Offer {}

    /** An instance on demand. */
    public record Instance(String instanceType, String region, BigDecimal perHour) implements Offer {}

    /** A spot instance. */
    public record SpotInstance(String instanceType, String region, String zoneId, BigDecimal perHour)
            implements Offer {}

    /**
     * A machine that the user owns and that runs all the time.
     *
     * @param instanceType as the nodes of its kind name it
     * @param watts average power while it runs, cooling included if it is to count
     * @param years of 365 days, after which it is worth nothing
     */
    public record OwnMachine(
            String instanceType,
            String region,
            BigDecimal purchasePrice,
            BigDecimal watts,
            BigDecimal perKilowattHour,
            BigDecimal years)
            implements Offer {}

    /** @param name by which reports and scenarios call the offer */
    public record ServerlessGpu(String name, BigDecimal perGpuSecond) implements Offer {}

    public record FargateSpot(
            String region, PriceBook.Architecture architecture, BigDecimal perVcpuHour, BigDecimal perGbHour)
            implements Offer {}
}
