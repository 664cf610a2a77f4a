package io.knabla.controller.price;

import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Round prices, made up for tests, of the one instance type {@code test.xlarge}; other types have none. */
public final class TestBook implements PriceBook {
    public static final String TYPE = "test.xlarge";
    public static final Instant RISE = Instant.parse("2026-03-10T02:00:00Z");

    private static final Provenance SOURCE =
            new Provenance(Provenance.Quality.DECLARED, "TestBook", Instant.parse("2026-01-01T00:00:00Z"));

    public static Price usd(String amount) {
        return new Price(new BigDecimal(amount), SOURCE);
    }

    @Override
    public List<TimedPrice> onDemand(String instanceType, String region, Interval time) {
        return instanceType.equals(TYPE) ? List.of(new TimedPrice(time, usd("0.36"))) : List.of();
    }

    /** 0.12 until {@link #RISE}, 0.18 then. */
    @Override
    public List<TimedPrice> spot(String instanceType, String region, String zoneId, Interval time) {
        if (!instanceType.equals(TYPE)) {
            return List.of();
        }
        Interval cheap = new Interval(Instant.EPOCH, Optional.of(RISE));
        Interval dear = new Interval(RISE, Optional.empty());
        Instant end = time.end().orElseThrow();
        return List.of(new TimedPrice(cheap, usd("0.12")), new TimedPrice(dear, usd("0.18"))).stream()
                .flatMap(price ->
                        price
                                .time()
                                .within(time.start(), end)
                                .map(part -> new TimedPrice(part, price.perHour()))
                                .stream())
                .toList();
    }

    @Override
    public Optional<Price> committed(String instanceType, String region, Commitment commitment, Instant at) {
        if (!instanceType.equals(TYPE)) {
            return Optional.empty();
        }
        return Optional.of(
                switch (commitment) {
                    case ONE_YEAR -> usd("0.234");
                    case THREE_YEARS -> usd("0.144");
                });
    }

    @Override
    public Optional<LambdaRates> lambda(String region, Architecture architecture, Instant at) {
        List<LambdaRates.Tier> tiers = List.of(
                new LambdaRates.Tier(new BigDecimal("54104"), usd("0.00002")),
                new LambdaRates.Tier(null, usd("0.00001")));
        return Optional.of(new LambdaRates(tiers, usd("0.000002"), 1_595, new BigDecimal("4104")));
    }

    @Override
    public Optional<FargateRates> fargate(String region, Architecture architecture, Instant at) {
        return Optional.of(new FargateRates(
                new FargateRates.Rate(usd("0.04"), usd("0.004")),
                Optional.of(new FargateRates.Rate(usd("0.012"), usd("0.0012")))));
    }
}
