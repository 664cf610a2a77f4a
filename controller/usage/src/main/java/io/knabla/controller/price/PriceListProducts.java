package io.knabla.controller.price;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads products of EC2 as {@code GetProducts} of AWS's Price List API returns them, one JSON text each.
 *
 * <p>Reads Linux without software on shared tenancy: the hour on demand, and standard reserved instances paid all
 * upfront, whose fee is spread over the hours of the term. Other products and offers are left out.
 */
public final class PriceListProducts {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final BigDecimal HOURS_PER_YEAR = BigDecimal.valueOf(365L * 24);

    private final Instant retrieved;
    private final List<PriceRow> rows = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    private PriceListProducts(Instant retrieved) {
        this.retrieved = retrieved;
    }

    /**
     * @param products {@code PriceList} of the answer
     * @param retrieved when it was asked for; the prices count as known until then and for a while after
     */
    public static ParsedRows rows(List<String> products, Instant retrieved) {
        PriceListProducts reading = new PriceListProducts(retrieved);
        for (int i = 0; i < products.size(); i++) {
            reading.read(products.get(i), "product " + i);
        }
        return new ParsedRows(reading.rows, reading.faults);
    }

    private void read(String text, String place) {
        try {
            JsonNode json = JSON.readTree(text);
            JsonNode attributes = json.path("product").path("attributes");
            if (!json.path("product").has("sku") || attributes.isMissingNode()) {
                faults.add(place + ": has no product with sku and attributes");
            } else if (isPlainLinux(attributes)) {
                new Product(json, attributes).read();
            }
        } catch (JsonProcessingException e) {
            faults.add("%s: is not JSON: %s".formatted(place, e.getOriginalMessage()));
        }
    }

    private static boolean isPlainLinux(JsonNode attributes) {
        return is(attributes, "operatingSystem", "Linux")
                && is(attributes, "tenancy", "Shared")
                && is(attributes, "preInstalledSw", "NA")
                && is(attributes, "capacitystatus", "Used")
                && (!attributes.has("marketoption") || is(attributes, "marketoption", "OnDemand"));
    }

    private static boolean is(JsonNode node, String field, String value) {
        return value.equals(node.path(field).asText());
    }

    /** One product and its offers. */
    private final class Product {
        private final JsonNode json;
        private final String sku;
        private final String instanceType;
        private final String region;

        Product(JsonNode json, JsonNode attributes) {
            this.json = json;
            this.sku = json.path("product").path("sku").asText();
            this.instanceType = attributes.path("instanceType").asText();
            this.region = attributes.path("regionCode").asText();
        }

        void read() {
            if (instanceType.isEmpty() || region.isEmpty()) {
                fault("has no instanceType or no regionCode");
                return;
            }
            json.path("terms").path("OnDemand").forEach(offer -> read(offer, Optional.empty()));
            json.path("terms").path("Reserved").forEach(offer -> {
                JsonNode term = offer.path("termAttributes");
                if (is(term, "OfferingClass", "standard") && is(term, "PurchaseOption", "All Upfront")) {
                    commitment(term.path("LeaseContractLength").asText())
                            .ifPresentOrElse(
                                    length -> read(offer, Optional.of(length)),
                                    () -> fault("has a reserved term that is neither 1yr nor 3yr"));
                }
            });
        }

        private void read(JsonNode offer, Optional<Commitment> commitment) {
            Optional<Instant> from = instant(offer.path("effectiveDate").asText());
            if (from.isEmpty()) {
                fault("has an offer whose effectiveDate is no time");
                return;
            }
            Interval time = new Interval(from.get(), Optional.empty());
            hourly(offer, commitment.map(PriceListProducts::years).orElse(0))
                    .map(usd -> new Price(usd, provenance(offer)))
                    .map(price -> row(commitment, time, price))
                    .ifPresent(rows::add);
        }

        private PriceRow row(Optional<Commitment> commitment, Interval time, Price price) {
            return commitment
                    .<PriceRow>map(length -> new PriceRow.Committed(instanceType, region, length, time, price))
                    .orElseGet(() -> new PriceRow.OnDemand(instanceType, region, time, price));
        }

        /** Price of an hour, and a share of the upfront fee; empty, with a fault, if it cannot be read. */
        private Optional<BigDecimal> hourly(JsonNode offer, int years) {
            BigDecimal sum = BigDecimal.ZERO;
            int hourly = 0;
            for (JsonNode part : offer.path("priceDimensions")) {
                boolean perHour = is(part, "unit", "Hrs");
                Optional<BigDecimal> usd =
                        UsdText.amount(part.path("pricePerUnit").path("USD").asText(null));
                if (usd.isEmpty() || !perHour && (years == 0 || !is(part, "unit", "Quantity"))) {
                    fault("has a price that is not in USD per Hrs or, upfront, per Quantity: " + part);
                    return Optional.empty();
                }
                hourly += perHour ? 1 : 0;
                sum = sum.add(perHour ? usd.get() : spread(usd.get(), years));
            }
            if (hourly != 1 || sum.signum() == 0) {
                fault("has an offer with %d prices per hour that add up to %s; one above 0 is needed"
                        .formatted(hourly, sum));
                return Optional.empty();
            }
            return Optional.of(sum);
        }

        private Provenance provenance(JsonNode offer) {
            String source = "AWS Price List, product %s, offer %s, published %s"
                    .formatted(
                            sku,
                            offer.path("offerTermCode").asText("?"),
                            json.path("publicationDate").asText("?"));
            return new Provenance(Quality.HISTORY, source, retrieved);
        }

        private void fault(String problem) {
            faults.add("product %s %s".formatted(sku, problem));
        }
    }

    private static BigDecimal spread(BigDecimal upfront, int years) {
        return upfront.divide(HOURS_PER_YEAR.multiply(BigDecimal.valueOf(years)), MathContext.DECIMAL128);
    }

    private static Optional<Commitment> commitment(String leaseContractLength) {
        return switch (leaseContractLength) {
            case "1yr" -> Optional.of(Commitment.ONE_YEAR);
            case "3yr" -> Optional.of(Commitment.THREE_YEARS);
            case String _ -> Optional.empty();
        };
    }

    private static int years(Commitment commitment) {
        return switch (commitment) {
            case ONE_YEAR -> 1;
            case THREE_YEARS -> 3;
        };
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
