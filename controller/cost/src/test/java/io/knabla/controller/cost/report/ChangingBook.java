package io.knabla.controller.cost.report;

import io.knabla.controller.price.FargateRates;
import io.knabla.controller.price.LambdaRates;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.usage.Interval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Prices of {@link TestBook}, but spot prices change every 37 minutes, and those on demand every 7 hours. */
final class ChangingBook implements PriceBook {
    private final PriceBook others = new TestBook();

    @Override
    public List<TimedPrice> onDemand(String instanceType, String region, Interval time) {
        return changing(Duration.ofHours(7), "0.36", instanceType, time);
    }

    @Override
    public List<TimedPrice> spot(String instanceType, String region, String zoneId, Interval time) {
        return changing(Duration.ofMinutes(37), "0.1", instanceType, time);
    }

    private static List<TimedPrice> changing(Duration held, String digits, String instanceType, Interval time) {
        List<TimedPrice> prices = new ArrayList<>();
        Instant end = time.end().orElseThrow();
        for (long i = time.start().getEpochSecond() / held.toSeconds();
                start(held, i).isBefore(end);
                i++) {
            Price price = TestBook.usd(digits + i % 7);
            Interval.of(start(held, i), start(held, i + 1))
                    .within(time.start(), end)
                    .ifPresent(part -> prices.add(new TimedPrice(part, price)));
        }
        return instanceType.equals(TestBook.TYPE) ? prices : List.of();
    }

    private static Instant start(Duration held, long i) {
        return Instant.EPOCH.plus(held.multipliedBy(i));
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
