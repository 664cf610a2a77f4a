package io.knabla.controller.price;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.price.PriceBook.Architecture;
import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads products of Lambda ({@code AWSLambda}) and Fargate ({@code AmazonECS}, Linux) as {@code GetProducts} of AWS's
 * Price List API returns them for one region, one JSON text each. Other products are left out.
 */
public final class ServerlessPriceList {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Begins with the region's code, except in us-east-1; {@code Global-…} is the free allowance. */
    private static final Pattern USAGE_TYPE = Pattern.compile("(?:[A-Z0-9]+-)?((?:Lambda-GB-Second|Request)(?:-ARM)?"
            + "|Fargate-(?:ARM-)?(?:vCPU-Hours:perCPU|GB-Hours))");

    private final String region;
    private final Instant retrieved;
    private final Map<String, Rate> rates = new TreeMap<>();
    private final List<String> faults = new ArrayList<>();

    /** The price of one usage type, by consumption of the month. */
    private record Rate(String sku, String published, Instant from, List<Step> steps) {}

    /** @param until bound of the month's sum; null if there is none */
    private record Step(BigDecimal since, BigDecimal until, BigDecimal usd) {}

    private ServerlessPriceList(String region, Instant retrieved) {
        this.region = region;
        this.retrieved = retrieved;
    }

    /** @param retrieved when it was asked for; the prices count as known until then and for a while after */
    public static ParsedRows lambda(String region, List<String> products, Instant retrieved) {
        ServerlessPriceList reading = read(region, products, retrieved);
        List<PriceRow> rows = new ArrayList<>();
        reading.both(
                "Lambda-GB-Second",
                "Request",
                (duration, requests) -> rows.add(reading.lambda(Architecture.X86_64, duration, requests)));
        reading.both(
                "Lambda-GB-Second-ARM",
                "Request-ARM",
                (duration, requests) -> rows.add(reading.lambda(Architecture.ARM64, duration, requests)));
        return new ParsedRows(rows, reading.faults);
    }

    /** @param retrieved when it was asked for; the prices count as known until then and for a while after */
    public static ParsedRows fargate(String region, List<String> products, Instant retrieved) {
        ServerlessPriceList reading = read(region, products, retrieved);
        List<PriceRow> rows = new ArrayList<>();
        reading.both(
                "Fargate-vCPU-Hours:perCPU",
                "Fargate-GB-Hours",
                (vcpu, gb) -> rows.add(reading.fargate(Architecture.X86_64, vcpu, gb)));
        reading.both(
                "Fargate-ARM-vCPU-Hours:perCPU",
                "Fargate-ARM-GB-Hours",
                (vcpu, gb) -> rows.add(reading.fargate(Architecture.ARM64, vcpu, gb)));
        return new ParsedRows(rows, reading.faults);
    }

    private static ServerlessPriceList read(String region, List<String> products, Instant retrieved) {
        ServerlessPriceList reading = new ServerlessPriceList(region, retrieved);
        for (int i = 0; i < products.size(); i++) {
            try {
                reading.read(JSON.readTree(products.get(i)));
            } catch (JsonProcessingException e) {
                reading.faults.add("product %d: is not JSON: %s".formatted(i, e.getOriginalMessage()));
            }
        }
        return reading;
    }

    private void read(JsonNode json) {
        JsonNode attributes = json.path("product").path("attributes");
        Matcher usage = USAGE_TYPE.matcher(attributes.path("usagetype").asText());
        if (!usage.matches() || !attributes.path("regionCode").asText().equals(region)) {
            return;
        }
        String sku = json.path("product").path("sku").asText("?");
        String published = json.path("publicationDate").asText("?");
        for (JsonNode offer : json.path("terms").path("OnDemand")) {
            try {
                Instant from = Instant.parse(offer.path("effectiveDate").asText());
                Rate rate = new Rate(sku, published, from, steps(offer.path("priceDimensions")));
                if (rates.putIfAbsent(usage.group(1), rate) != null) {
                    throw new IllegalArgumentException("is the second price of " + usage.group());
                }
            } catch (DateTimeException _) {
                fault(sku, "has an offer whose effectiveDate is no time");
            } catch (IllegalArgumentException unusable) {
                fault(sku, unusable.getMessage());
            }
        }
    }

    /** @throws IllegalArgumentException unless the prices cover every consumption once */
    private static List<Step> steps(JsonNode dimensions) {
        List<Step> steps = dimensions
                .valueStream()
                .map(ServerlessPriceList::step)
                .sorted(Comparator.comparing(Step::since))
                .toList();
        BigDecimal covered = BigDecimal.ZERO;
        for (Step step : steps) {
            if (covered == null || step.since().compareTo(covered) != 0) {
                break;
            }
            covered = step.until();
        }
        if (steps.isEmpty() || covered != null) {
            throw new IllegalArgumentException(
                    "has prices that do not cover every consumption once, from 0 to Inf: " + dimensions);
        }
        return steps;
    }

    private static Step step(JsonNode dimension) {
        String usd = dimension.path("pricePerUnit").path("USD").asText(null);
        UsdText.faultOf(usd).ifPresent(problem -> {
            throw new IllegalArgumentException("has no price in USD (%s): %s".formatted(problem, dimension));
        });
        String end = dimension.path("endRange").asText("Inf");
        return new Step(
                bound(dimension.path("beginRange").asText("0"), dimension),
                end.equals("Inf") ? null : bound(end, dimension),
                new BigDecimal(usd));
    }

    private static BigDecimal bound(String text, JsonNode dimension) {
        return UsdText.amount(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "has a range with '%s', which is no number: %s".formatted(text, dimension)));
    }

    private void both(String first, String second, BiConsumer<Rate, Rate> row) {
        if (rates.containsKey(first) && rates.containsKey(second)) {
            row.accept(rates.get(first), rates.get(second));
        } else {
            faults.add("no usable price of %s and %s in %s".formatted(first, second, region));
        }
    }

    private PriceRow lambda(Architecture architecture, Rate duration, Rate requests) {
        List<LambdaRates.Tier> tiers = duration.steps().stream()
                .map(step -> new LambdaRates.Tier(step.until(), price(step.usd(), duration, requests)))
                .toList();
        LambdaRates lambda = new LambdaRates(
                tiers, first(requests, duration), BundledServices.FREE_REQUESTS, BundledServices.FREE_GB_SECONDS);
        return new PriceRow.Lambda(region, architecture, since(duration, requests), lambda);
    }

    private PriceRow fargate(Architecture architecture, Rate vcpu, Rate gb) {
        FargateRates.Rate rate = new FargateRates.Rate(first(vcpu, gb), first(gb, vcpu));
        return new PriceRow.Fargate(region, architecture, since(vcpu, gb), rate);
    }

    private static Interval since(Rate one, Rate other) {
        return new Interval(one.from().isAfter(other.from()) ? one.from() : other.from(), Optional.empty());
    }

    private Price first(Rate rate, Rate other) {
        return price(rate.steps().getFirst().usd(), rate, other);
    }

    private Price price(BigDecimal usd, Rate rate, Rate other) {
        String source = "AWS Price List, products %s, published %s"
                .formatted(
                        String.join(
                                " and ",
                                Stream.of(rate.sku(), other.sku()).sorted().toList()),
                        rate.published());
        return new Price(usd, new Provenance(Quality.HISTORY, source, retrieved));
    }

    private void fault(String sku, String problem) {
        faults.add("product %s %s".formatted(sku, problem));
    }
}
