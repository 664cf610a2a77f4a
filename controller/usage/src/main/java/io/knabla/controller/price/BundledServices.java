package io.knabla.controller.price;

import static java.util.stream.Collectors.groupingBy;

import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.price.Provenance.Quality;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Bundled prices of Lambda and Fargate. */
final class BundledServices {
    static final String LAMBDA_US_EAST_1 = "aws-lambda-us-east-1-2026-09.csv";
    static final String LAMBDA_ELSEWHERE = "aws-lambda-duration-price-2026-04.csv";
    static final String FARGATE = "aws-fargate-us-east-1-2026-09.csv";

    private static final String US_EAST_1 = "us-east-1";
    private static final Instant LAMBDA_READ = Instant.parse("2026-09-19T00:00:00Z");
    private static final Instant LAMBDA_ELSEWHERE_READ = Instant.parse("2026-04-13T09:55:18Z");
    private static final Instant FARGATE_READ = Instant.parse("2026-09-23T00:00:00Z");

    /** Allowances of an account over all its regions. */
    static final long FREE_REQUESTS = 1_000_000;

    static final BigDecimal FREE_GB_SECONDS = new BigDecimal("400000");

    private static final Price PER_REQUEST = new Price(
            new BigDecimal("0.0000002"),
            new Provenance(
                    Quality.HISTORY,
                    "price of Lambda requests in us-east-1, aws.amazon.com/lambda/pricing",
                    LAMBDA_READ));

    private BundledServices() {}

    static List<PriceRow.Lambda> lambda() {
        return Stream.concat(lambdaUsEast1(), lambdaElsewhere()).toList();
    }

    static List<PriceRow.Fargate> fargate() {
        Provenance provenance = new Provenance(
                Quality.HISTORY, FARGATE + " (aws.amazon.com/fargate/pricing, us-east-1, Linux)", FARGATE_READ);
        return PriceCsv.bundled(FARGATE).stream()
                .map(line -> new PriceRow.Fargate(
                        US_EAST_1,
                        architecture(line),
                        BundledInstances.since(FARGATE_READ),
                        new FargateRates.Rate(
                                new Price(line.amount("usd_per_vcpu_hour"), provenance),
                                new Price(line.amount("usd_per_gb_hour"), provenance))))
                .toList();
    }

    private static Stream<PriceRow.Lambda> lambdaUsEast1() {
        Map<Architecture, List<PriceCsv.Row>> tiers =
                PriceCsv.bundled(LAMBDA_US_EAST_1).stream().collect(groupingBy(BundledServices::architecture));
        Provenance provenance = new Provenance(
                Quality.HISTORY, LAMBDA_US_EAST_1 + " (aws.amazon.com/lambda/pricing, us-east-1)", LAMBDA_READ);
        return tiers.entrySet().stream()
                .map(tier -> new PriceRow.Lambda(
                        US_EAST_1,
                        tier.getKey(),
                        BundledInstances.since(LAMBDA_READ),
                        rates(
                                tier.getValue().stream()
                                        .map(line -> tier(line, provenance))
                                        .toList(),
                                PER_REQUEST)));
    }

    private static LambdaRates.Tier tier(PriceCsv.Row line, Provenance provenance) {
        return new LambdaRates.Tier(
                line.amountIfGiven("up_to_gb_seconds").orElse(null),
                new Price(line.amount("usd_per_gb_second"), provenance));
    }

    private static Stream<PriceRow.Lambda> lambdaElsewhere() {
        Provenance provenance = new Provenance(
                Quality.DERIVED,
                LAMBDA_ELSEWHERE
                        + " (github.com/alexcasalboni/aws-lambda-power-tuning, commit 262ecc2d): price of a millisecond"
                        + " with 128 MB, which the source rounds up to two digits, times 8,000",
                LAMBDA_ELSEWHERE_READ);
        return PriceCsv.bundled(LAMBDA_ELSEWHERE).stream()
                .map(line -> new PriceRow.Lambda(
                        line.text("region"),
                        architecture(line),
                        BundledInstances.since(LAMBDA_ELSEWHERE_READ),
                        elsewhere(line, provenance)));
    }

    private static LambdaRates elsewhere(PriceCsv.Row line, Provenance provenance) {
        BigDecimal perGbSecond = line.amount("usd_per_ms_at_128mb").multiply(BigDecimal.valueOf(8 * 1000));
        return rates(
                List.of(new LambdaRates.Tier(null, new Price(perGbSecond, provenance))),
                OutdatedPrices.price(PER_REQUEST));
    }

    private static LambdaRates rates(List<LambdaRates.Tier> tiers, Price perRequest) {
        return new LambdaRates(tiers, perRequest, FREE_REQUESTS, FREE_GB_SECONDS);
    }

    private static Architecture architecture(PriceCsv.Row line) {
        return switch (line.text("arch")) {
            case "x86_64" -> Architecture.X86_64;
            case "arm64" -> Architecture.ARM64;
            case String other ->
                throw new IllegalArgumentException(
                        "%s: arch is '%s', allowed are x86_64 and arm64".formatted(line.file(), other));
        };
    }
}
