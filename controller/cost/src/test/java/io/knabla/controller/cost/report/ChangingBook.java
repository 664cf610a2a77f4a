package io.knabla.controller.cost.report;

import io.knabla.controller.cost.price.FargateRates;
import io.knabla.controller.cost.price.LambdaRates;
import io.knabla.controller.cost.price.Price;
import io.knabla.controller.cost.price.PriceBook;
import io.knabla.controller.cost.scenario.TestBook;
import io.knabla.controller.cost.usage.Interval;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Prices of {@link TestBook}, but spot prices change every 37 minutes, and those on demand every day of UTC. */
final class ChangingBook implements PriceBook {
    private static final Duration HELD = Duration.ofMinutes(37);

    private static final Duration DAY = Duration.ofDays(1);

    private final PriceBook others = new TestBook();

    @Override
    public List<TimedPrice> onDemand(String instanceType, String region, Interval time) {
        List<TimedPrice> prices = new ArrayList<>();
        Instant end = time.end().orElseThrow();
        for (Instant day = time.start().truncatedTo(ChronoUnit.DAYS); day.isBefore(end); day = day.plus(DAY)) {
            Price price = TestBook.usd("0.36" + day.atOffset(ZoneOffset.UTC).getDayOfMonth());
            Interval.of(day, day.plus(DAY))
                    .within(time.start(), end)
                    .ifPresent(held -> prices.add(new TimedPrice(held, price)));
        }
        return instanceType.equals(TestBook.TYPE) ? prices : List.of();
    }

    @Override
    public List<TimedPrice> spot(String instanceType, String region, String zoneId, Interval time) {
        List<TimedPrice> prices = new ArrayList<>();
        Instant end = time.end().orElseThrow();
        for (long i = time.start().getEpochSecond() / HELD.toSeconds(); start(i).isBefore(end); i++) {
            Price price = TestBook.usd("0.1" + i % 7);
            Interval.of(start(i), start(i + 1))
                    .within(time.start(), end)
                    .ifPresent(held -> prices.add(new TimedPrice(held, price)));
        }
        return instanceType.equals(TestBook.TYPE) ? prices : List.of();
    }

    private static Instant start(long i) {
        return Instant.EPOCH.plus(HELD.multipliedBy(i));
    }

    @Override
    public Optional<Price> committed(String instanceType, String region, Commitment commitment, Instant at) {
        return others.committed(instanceType, region, commitment, at);
    }

    @Override
    public Optional<LambdaRates> lambda(String region, Architecture architecture, Instant at) {
        return others.lambda(region, architecture, at);
    }

    @Override
    public Optional<FargateRates> fargate(String region, Architecture architecture, Instant at) {
        return others.fargate(region, architecture, at);
    }
}
