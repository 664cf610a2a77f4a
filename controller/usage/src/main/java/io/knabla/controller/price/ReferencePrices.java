package io.knabla.controller.price;

import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Prices of a laptop, which has none of its own: those of a common instance by vCPU, and of Lambda and Fargate in its
 * region, all of quality {@link Quality#ASSUMED}. They are for reports, and no decision rests on them.
 */
public final class ReferencePrices {
    /** Instance type of a node whose settings name none. */
    public static final String INSTANCE_TYPE = "local";

    static final String LIKE = "m7i.large";
    static final String REGION = "us-east-1";
    private static final BigDecimal VCPUS = BigDecimal.TWO;
    private static final Instant READ = BundledPrices.NEWEST;

    /** Within the term of the bundled commitments. */
    private static final Instant COMMITTED = Instant.parse("2023-09-01T00:00:00Z");

    private static final Interval ALWAYS = new Interval(Instant.MIN, Optional.empty());

    private ReferencePrices() {}

    /**
     * @param book in which the reference has prices; what it lacks there has no row
     * @param vcpus of the machine
     */
    public static List<PriceRow> rows(PriceBook book, int vcpus) {
        return Stream.of(ofMachine(book, BigDecimal.valueOf(vcpus)), ofServices(book))
                .flatMap(Function.identity())
                .toList();
    }

    private static Stream<PriceRow> ofMachine(PriceBook book, BigDecimal vcpus) {
        Stream<PriceRow> onDemand = book.onDemand(LIKE, REGION, READ).stream()
                .map(price -> new PriceRow.OnDemand(INSTANCE_TYPE, PriceRow.ANY, ALWAYS, byVcpu(price, vcpus)));
        Stream<PriceRow> spot = book.spot(LIKE, REGION, "", Interval.of(READ, READ.plusSeconds(1))).stream()
                .limit(1)
                .map(PriceBook.TimedPrice::perHour)
                .map(price ->
                        new PriceRow.Spot(INSTANCE_TYPE, PriceRow.ANY, PriceRow.ANY, ALWAYS, byVcpu(price, vcpus)));
        Stream<PriceRow> committed = Arrays.stream(Commitment.values())
                .flatMap(term -> book.committed(LIKE, REGION, term, COMMITTED).stream()
                        .map(price -> new PriceRow.Committed(
                                INSTANCE_TYPE, PriceRow.ANY, term, ALWAYS, byVcpu(price, vcpus))));
        return Stream.of(onDemand, spot, committed).flatMap(Function.identity());
    }

    private static Stream<PriceRow> ofServices(PriceBook book) {
        return Arrays.stream(Architecture.values()).flatMap(architecture -> {
            Stream<PriceRow> lambda = book.lambda(REGION, architecture, READ).stream()
                    .map(rates -> new PriceRow.Lambda("", architecture, ALWAYS, rates.with(ReferencePrices::there)));
            Stream<PriceRow> fargate = book.fargate(REGION, architecture, READ).stream()
                    .map(rates -> new PriceRow.Fargate(
                            "", architecture, ALWAYS, rates.onDemand().with(ReferencePrices::there)));
            Stream<PriceRow> spot = book.fargateSpot(REGION, architecture, READ).stream()
                    .map(rate -> new PriceRow.FargateSpot("", architecture, ALWAYS, rate.with(ReferencePrices::there)));
            return Stream.of(lambda, fargate, spot).flatMap(Function.identity());
        });
    }

    private static Price byVcpu(Price price, BigDecimal vcpus) {
        BigDecimal usd = price.usd().multiply(vcpus).divide(VCPUS, MathContext.DECIMAL128);
        String like = "%s vCPUs of %s in %s; declare the machine's own price under prices: in config.yaml"
                .formatted(vcpus, LIKE, REGION);
        return assumed(usd, like, price);
    }

    private static Price there(Price price) {
        return assumed(price.usd(), "a machine in " + REGION, price);
    }

    private static Price assumed(BigDecimal usd, String like, Price price) {
        Provenance from = price.provenance();
        return new Price(
                usd, new Provenance(Quality.ASSUMED, "%s (%s)".formatted(like, from.source()), from.retrieved()));
    }
}
