package io.knabla.controller.cost.report;

import io.knabla.controller.cost.token.TokenCounts;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/**
 * Columns of a FOCUS export, in the order of their names, those of our own last: all that <a
 * href="https://github.com/FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec/tree/v1.2">FOCUS 1.2</a> (CC BY 4.0) makes
 * mandatory, and those others that usage tells. Ours begin with {@code x_}, as it asks for; a column has a value where
 * a replica counted tokens.
 */
enum FocusColumn {
    AVAILABILITY_ZONE("AvailabilityZone", (row, origin) -> nonBlank(row.node().zoneId())),
    BILLED_COST("BilledCost", (row, origin) -> Decimals.plain(row.billed())),
    BILLING_ACCOUNT_ID("BillingAccountId", (row, origin) -> origin.billingAccountId()),
    BILLING_ACCOUNT_NAME(
            "BillingAccountName", (row, origin) -> origin.billingAccountName().orElse(null)),
    BILLING_CURRENCY("BillingCurrency", (row, origin) -> CostReport.CURRENCY),
    BILLING_PERIOD_END("BillingPeriodEnd", (row, origin) -> month(row, 1)),
    BILLING_PERIOD_START("BillingPeriodStart", (row, origin) -> month(row, 0)),
    CHARGE_CATEGORY("ChargeCategory", (row, origin) -> "Usage"),
    CHARGE_CLASS("ChargeClass", (row, origin) -> null),
    CHARGE_DESCRIPTION("ChargeDescription", (row, origin) -> FocusText.description(row)),
    CHARGE_FREQUENCY("ChargeFrequency", (row, origin) -> "Usage-Based"),
    CHARGE_PERIOD_END(
            "ChargePeriodEnd", (row, origin) -> ceiling(row.chargePeriod().end().orElseThrow())),
    CHARGE_PERIOD_START(
            "ChargePeriodStart", (row, origin) -> floor(row.chargePeriod().start())),
    CONSUMED_QUANTITY("ConsumedQuantity", (row, origin) -> Decimals.plain(row.hours())),
    CONSUMED_UNIT("ConsumedUnit", (row, origin) -> "Hours"),
    /** No negotiated prices are known, so it is what was billed. */
    CONTRACTED_COST("ContractedCost", (row, origin) -> Decimals.plain(row.billed())),
    EFFECTIVE_COST("EffectiveCost", (row, origin) -> Decimals.plain(row.billed())),
    /** The invoice of a provider is not known here. */
    INVOICE_ID("InvoiceId", (row, origin) -> null),
    INVOICE_ISSUER_NAME("InvoiceIssuerName", (row, origin) -> origin.provider()),
    LIST_COST("ListCost", (row, origin) -> Decimals.plain(row.listed())),
    LIST_UNIT_PRICE("ListUnitPrice", (row, origin) -> Decimals.plainOrNull(row.listPrice())),
    PRICING_CATEGORY("PricingCategory", (row, origin) -> FocusText.pricingCategory(row.node())),
    PRICING_QUANTITY("PricingQuantity", (row, origin) -> Decimals.plain(row.hours())),
    PRICING_UNIT("PricingUnit", (row, origin) -> "Hours"),
    PROVIDER_NAME("ProviderName", (row, origin) -> origin.provider()),
    PUBLISHER_NAME("PublisherName", (row, origin) -> origin.publisher()),
    REGION_ID("RegionId", (row, origin) -> nonBlank(row.node().region())),
    REGION_NAME("RegionName", (row, origin) -> nonBlank(row.node().region())),
    RESOURCE_ID("ResourceId", (row, origin) -> row.node().id()),
    RESOURCE_NAME("ResourceName", (row, origin) -> FocusText.resourceName(row.node())),
    RESOURCE_TYPE("ResourceType", (row, origin) -> "Virtual Machine"),
    SERVICE_CATEGORY("ServiceCategory", (row, origin) -> "Compute"),
    SERVICE_NAME("ServiceName", (row, origin) -> origin.service()),
    SERVICE_SUBCATEGORY("ServiceSubcategory", (row, origin) -> "Virtual Machines"),
    TAGS("Tags", (row, origin) -> FocusText.tags(row)),
    CACHED_TOKENS("x_CachedTokens", (row, origin) -> tokens(row, TokenCounts::cached)),
    GENERATED_TOKENS("x_GeneratedTokens", (row, origin) -> tokens(row, TokenCounts::generated)),
    PROMPT_TOKENS("x_PromptTokens", (row, origin) -> tokens(row, TokenCounts::prompt));

    private final String id;
    private final BiFunction<FocusRow, FocusOrigin, String> value;

    FocusColumn(String id, BiFunction<FocusRow, FocusOrigin, String> value) {
        this.id = id;
        this.value = value;
    }

    String id() {
        return id;
    }

    /** The cell's text; null if the column has no value. */
    String of(FocusRow row, FocusOrigin origin) {
        return value.apply(row, origin);
    }

    private static String tokens(FocusRow row, ToLongFunction<TokenCounts> count) {
        return row.tokens()
                .map(tokens -> Long.toString(count.applyAsLong(tokens)))
                .orElse(null);
    }

    private static String nonBlank(String text) {
        return text.isBlank() ? null : text;
    }

    // The specification's format of times has whole seconds.
    private static String floor(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String ceiling(Instant time) {
        Instant floor = time.truncatedTo(ChronoUnit.SECONDS);
        return (floor.equals(time) ? floor : floor.plusSeconds(1)).toString();
    }

    private static String month(FocusRow row, int later) {
        return YearMonth.from(row.chargePeriod().start().atOffset(ZoneOffset.UTC))
                .plusMonths(later)
                .atDay(1)
                .atStartOfDay(ZoneOffset.UTC)
                .toInstant()
                .toString();
    }
}
