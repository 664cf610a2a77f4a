package io.knabla.controller.cost.aws;

import io.knabla.controller.cost.pricelist.PriceSource;
import io.knabla.controller.cost.pricelist.RefreshedPrices;
import io.knabla.controller.price.ParsedRows;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.Provenance;
import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.price.UsdText;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.savingsplans.SavingsplansClient;
import software.amazon.awssdk.services.savingsplans.model.DescribeSavingsPlansOfferingRatesResponse;
import software.amazon.awssdk.services.savingsplans.model.SavingsPlanOfferingRate;
import software.amazon.awssdk.services.savingsplans.model.SavingsPlanOfferingRateFilterElement;
import software.amazon.awssdk.services.savingsplans.model.SavingsPlanPaymentOption;
import software.amazon.awssdk.services.savingsplans.model.SavingsPlanProductType;
import software.amazon.awssdk.services.savingsplans.model.SavingsPlanRateFilterAttribute;
import software.amazon.awssdk.services.savingsplans.model.SavingsPlanRateServiceCode;
import software.amazon.awssdk.services.savingsplans.model.SavingsPlanType;

/**
 * Rates of EC2 Instance Savings Plans paid all upfront, which compare to reserved instances paid so. AWS states no date
 * from which a rate holds, so it holds from the answer on.
 */
record SavingsPlanRates(SavingsplansClient client, String region, List<String> types) implements PriceSource {
    private static final Map<Long, Commitment> TERMS = Map.of(
            Duration.ofDays(365).toSeconds(), Commitment.ONE_YEAR,
            Duration.ofDays(3 * 365).toSeconds(), Commitment.THREE_YEARS);

    private static final int MAX_PAGES = 1_000;

    @Override
    public String name() {
        return "aws" + RefreshedPrices.LAST_RESORT;
    }

    @Override
    public ParsedRows fetch(List<PriceRow> stored, Instant now) {
        List<PriceRow> rows = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        rates().stream()
                .filter(this::isAskedFor)
                .forEach(rate -> faultOf(rate)
                        .ifPresentOrElse(
                                fault -> faults.add("rate of %s: %s".formatted(rate.usageType(), fault)),
                                () -> rows.add(row(rate, now))));
        return new ParsedRows(rows, faults);
    }

    /** The SDK has no paginator for it. */
    private List<SavingsPlanOfferingRate> rates() {
        List<SavingsPlanOfferingRate> rates = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        String token = null;
        do {
            DescribeSavingsPlansOfferingRatesResponse page = page(token);
            rates.addAll(page.searchResults());
            token = page.nextToken() == null || page.nextToken().isEmpty() ? null : page.nextToken();
            if (token != null && (!seen.add(token) || seen.size() == MAX_PAGES)) {
                throw new IllegalStateException(
                        "the pages of savings plans do not end; the last of %d is '%s'".formatted(seen.size(), token));
            }
        } while (token != null);
        return rates;
    }

    private DescribeSavingsPlansOfferingRatesResponse page(String token) {
        return client.describeSavingsPlansOfferingRates(
                request -> request.savingsPlanPaymentOptions(SavingsPlanPaymentOption.ALL_UPFRONT)
                        .savingsPlanTypes(SavingsPlanType.EC2_INSTANCE)
                        .products(SavingsPlanProductType.EC2)
                        .serviceCodes(SavingsPlanRateServiceCode.AMAZON_EC2)
                        .filters(
                                filter(SavingsPlanRateFilterAttribute.REGION, List.of(region)),
                                filter(SavingsPlanRateFilterAttribute.INSTANCE_TYPE, types),
                                filter(SavingsPlanRateFilterAttribute.PRODUCT_DESCRIPTION, List.of("Linux/UNIX")),
                                filter(SavingsPlanRateFilterAttribute.TENANCY, List.of("shared")))
                        .nextToken(token));
    }

    private static SavingsPlanOfferingRateFilterElement filter(
            SavingsPlanRateFilterAttribute name, List<String> values) {
        return SavingsPlanOfferingRateFilterElement.builder()
                .name(name)
                .values(values)
                .build();
    }

    /** Unused reservations have rates, too. */
    private boolean isAskedFor(SavingsPlanOfferingRate rate) {
        return String.valueOf(rate.usageType()).contains("BoxUsage:")
                && property(rate, "instanceType").filter(types::contains).isPresent()
                && property(rate, "region").filter(region::equals).isPresent();
    }

    private static Optional<String> faultOf(SavingsPlanOfferingRate rate) {
        if (rate.savingsPlanOffering() == null
                || !TERMS.containsKey(rate.savingsPlanOffering().durationSeconds())) {
            return Optional.of("has no offering of 1 or 3 years");
        }
        if (!"USD".equals(rate.savingsPlanOffering().currencyAsString()) || !"Hrs".equals(rate.unitAsString())) {
            return Optional.of("is in %s per %s, but must be in USD per Hrs"
                    .formatted(rate.savingsPlanOffering().currencyAsString(), rate.unitAsString()));
        }
        return UsdText.faultOf(rate.rate());
    }

    private PriceRow row(SavingsPlanOfferingRate rate, Instant now) {
        String source = "AWS DescribeSavingsPlansOfferingRates, offering %s (EC2 Instance, all upfront)"
                .formatted(rate.savingsPlanOffering().offeringId());
        return new PriceRow.Committed(
                property(rate, "instanceType").orElseThrow(),
                region,
                TERMS.get(rate.savingsPlanOffering().durationSeconds()),
                new Interval(now, Optional.empty()),
                new Price(new BigDecimal(rate.rate()), new Provenance(Quality.HISTORY, source, now)));
    }

    private static Optional<String> property(SavingsPlanOfferingRate rate, String name) {
        return rate.properties().stream()
                .filter(property -> name.equals(property.name()))
                .map(property -> property.value())
                .findFirst();
    }
}
