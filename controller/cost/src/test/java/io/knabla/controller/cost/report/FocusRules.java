package io.knabla.controller.cost.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Rules of the columns of FOCUS 1.2, as its files {@code specification/columns} and {@code specification/attributes} at
 * the tag v1.2 state them: all of the mandatory columns, and of those others that we write. A row has a value, null, or
 * no entry if its column is absent.
 */
final class FocusRules {
    private static final Set<String> CHARGE_CATEGORIES = Set.of("Usage", "Purchase", "Tax", "Credit", "Adjustment");
    private static final Set<String> PRICING_CATEGORIES = Set.of("Standard", "Dynamic", "Committed", "Other");
    private static final Set<String> FREQUENCIES = Set.of("One-Time", "Recurring", "Usage-Based");
    private static final Set<String> SERVICE_CATEGORIES = Set.of(
            "AI and Machine Learning",
            "Analytics",
            "Business Applications",
            "Compute",
            "Databases",
            "Developer Tools",
            "Multicloud",
            "Identity",
            "Integration",
            "Internet of Things",
            "Management and Governance",
            "Media",
            "Migration",
            "Mobile",
            "Networking",
            "Security",
            "Storage",
            "Web",
            "Other");
    private static final Set<String> COMPUTE = Set.of(
            "Containers",
            "End User Computing",
            "Quantum Compute",
            "Serverless Compute",
            "Virtual Machines",
            "Other (Compute)");

    // No signs, separators or units; an exponent only if it is negative.
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?(E-\\d+)?");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    private static final Pattern ID = Pattern.compile("(x_)?[A-Z][A-Za-z0-9]{0,49}");
    private static final String TIME_UNIT = "(Year|Month|Day|Hour|Minute|Second)";
    private static final Pattern UNIT = Pattern.compile(
            "(\\d+ )?([A-Z][A-Za-z]*|" + TIME_UNIT + "s)(-" + TIME_UNIT + "s)?(/(\\d+ )?" + TIME_UNIT + "s?)?");

    private final List<Rule> rules = new ArrayList<>();

    private record Rule(String column, String text, Predicate<Map<String, String>> holds) {}

    FocusRules() {
        Stream.of("BilledCost", "ContractedCost", "EffectiveCost", "ListCost").forEach(this::cost);
        Stream.of("BillingAccountId", "InvoiceIssuerName", "ProviderName", "PublisherName", "ServiceName")
                .forEach(this::requiredText);
        Stream.of("BillingAccountName", "ChargeDescription").forEach(column -> {
            present(column);
            text(column);
        });
        Stream.of("BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd")
                .forEach(this::time);
        requiredText("BillingCurrency");
        rule(
                "InvoiceIssuerName",
                "is the provider, or the billed cost is 0",
                row -> row.get("BilledCost") == null
                        || Objects.equals(row.get("InvoiceIssuerName"), row.get("ProviderName"))
                        || row.get("BilledCost").matches("-?0(\\.0+)?"));
        rule("BillingCurrency", "is a code of ISO 4217", row -> isCurrency(row.get("BillingCurrency")));
        periods();
        categories();
        products();
        pricing();
        resources();
    }

    /** What is wrong with these rows, each named by its column. */
    List<String> violations(List<Map<String, String>> rows) {
        List<String> violations = new ArrayList<>();
        Map<String, String> categories = new HashMap<>();
        for (Map<String, String> row : rows) {
            for (Rule rule : rules) {
                if (!rule.holds.test(row)) {
                    violations.add("%s: it %s, but is %s".formatted(rule.column, rule.text, row.get(rule.column)));
                }
            }
            row.keySet().stream()
                    .filter(id -> !ID.matcher(id).matches())
                    .forEach(id -> violations.add(id + ": it is written in Pascal case"));
            String first = categories.putIfAbsent(row.get("ServiceName"), row.get("ServiceCategory"));
            if (first != null && !first.equals(row.get("ServiceCategory"))) {
                violations.add("ServiceName: it has one category, but has " + first + " as well");
            }
        }
        return violations;
    }

    private void rule(String column, String text, Predicate<Map<String, String>> holds) {
        rules.add(new Rule(column, text, holds));
    }

    private void present(String column) {
        rule(column, "is present", row -> row.containsKey(column));
    }

    private void notNull(String column) {
        rule(column, "is not null", row -> row.get(column) != null);
    }

    private void text(String column) {
        rule(
                column,
                "is not blank",
                row -> row.get(column) == null || !row.get(column).isBlank());
    }

    private void requiredText(String column) {
        present(column);
        notNull(column);
        text(column);
    }

    private void number(String column) {
        rule(
                column,
                "is a decimal",
                row -> row.get(column) == null
                        || NUMBER.matcher(row.get(column)).matches());
    }

    private void cost(String column) {
        present(column);
        notNull(column);
        number(column);
    }

    private void time(String column) {
        present(column);
        notNull(column);
        rule(column, "is a time in UTC", row -> row.get(column) == null || isTime(row.get(column)));
    }

    private void periods() {
        rule("BillingPeriodStart", "begins a calendar month of UTC", row -> month(row, "BillingPeriodStart", 0));
        rule(
                "BillingPeriodEnd",
                "is a month after the billing period's start",
                row -> month(row, "BillingPeriodEnd", 1));
        rule(
                "ChargePeriodStart",
                "is before the charge period's end",
                row -> ordered(row, "ChargePeriodStart", "ChargePeriodEnd", false));
        rule(
                "ChargePeriodStart",
                "is within the billing period",
                row -> ordered(row, "BillingPeriodStart", "ChargePeriodStart", true));
        rule(
                "ChargePeriodEnd",
                "is within the billing period",
                row -> ordered(row, "ChargePeriodEnd", "BillingPeriodEnd", true));
    }

    private void categories() {
        present("ChargeCategory");
        notNull("ChargeCategory");
        allowed("ChargeCategory", CHARGE_CATEGORIES);
        present("ChargeClass");
        allowed("ChargeClass", Set.of("Correction"));
        rule(
                "ChargeFrequency",
                "is not null where it is present",
                row -> !row.containsKey("ChargeFrequency") || row.get("ChargeFrequency") != null);
        allowed("ChargeFrequency", FREQUENCIES);
        rule(
                "ChargeFrequency",
                "is not by usage for a purchase",
                row -> !is(row, "ChargeCategory", "Purchase") || !is(row, "ChargeFrequency", "Usage-Based"));
    }

    private void products() {
        present("ServiceCategory");
        notNull("ServiceCategory");
        allowed("ServiceCategory", SERVICE_CATEGORIES);
        rule(
                "ServiceSubcategory",
                "is of its category",
                row -> row.get("ServiceSubcategory") == null
                        || is(row, "ServiceCategory", "Compute") == COMPUTE.contains(row.get("ServiceSubcategory")));
    }

    private void pricing() {
        quantity("PricingQuantity", "PricingUnit");
        present("PricingQuantity");
        present("PricingUnit");
        rule("PricingQuantity", "is not null for usage", row -> !charged(row) || row.get("PricingQuantity") != null);
        rule(
                "PricingQuantity",
                "is null for a tax",
                row -> !is(row, "ChargeCategory", "Tax") || row.get("PricingQuantity") == null);
        quantity("ConsumedQuantity", "ConsumedUnit");
        rule(
                "ConsumedQuantity",
                "is not null for usage",
                row -> !row.containsKey("ConsumedQuantity") || !charged(row) || row.get("ConsumedQuantity") != null);
        allowed("PricingCategory", PRICING_CATEGORIES);
        rule(
                "PricingCategory",
                "is not null for usage",
                row -> !row.containsKey("PricingCategory") || !charged(row) || row.get("PricingCategory") != null);
        rule(
                "PricingCategory",
                "is committed if there is a commitment",
                row -> is(row, "PricingCategory", "Committed") == (row.get("CommitmentDiscountId") != null));
        number("ListUnitPrice");
        rule(
                "ListUnitPrice",
                "is not negative",
                row -> !isNumber(row.get("ListUnitPrice")) || new BigDecimal(row.get("ListUnitPrice")).signum() >= 0);
        rule(
                "ListCost",
                "is the list price times the quantity, or what was billed",
                row -> matches(row, "ListCost", "ListUnitPrice"));
        rule(
                "ContractedCost",
                "is the contracted price times the quantity, or what was billed",
                row -> matches(row, "ContractedCost", "ContractedUnitPrice"));
        rule(
                "EffectiveCost",
                "is what was billed, without a commitment",
                row -> row.get("CommitmentDiscountId") != null
                        || same(row.get("EffectiveCost"), row.get("BilledCost")));
    }

    private void quantity(String quantity, String unit) {
        number(quantity);
        text(unit);
        rule(unit, "is there if the quantity is", row -> (row.get(quantity) == null) == (row.get(unit) == null));
        rule(
                unit,
                "is written as a unit",
                row -> row.get(unit) == null || UNIT.matcher(row.get(unit)).matches());
    }

    private void resources() {
        Stream.of(
                        "ResourceId",
                        "ResourceName",
                        "ResourceType",
                        "RegionId",
                        "RegionName",
                        "AvailabilityZone",
                        "InvoiceId")
                .forEach(this::text);
        rule(
                "ResourceType",
                "is there if the resource is",
                row -> (row.get("ResourceId") == null) == (row.get("ResourceType") == null));
        rule(
                "ResourceName",
                "is null without a resource and not its id",
                row -> row.get("ResourceName") == null
                        || (row.get("ResourceId") != null
                                && !row.get("ResourceName").equals(row.get("ResourceId"))));
        rule("Tags", "is a JSON object of plain values", row -> row.get("Tags") == null || isFlatJson(row.get("Tags")));
    }

    private void allowed(String column, Set<String> values) {
        rule(column, "is one of " + values, row -> row.get(column) == null || values.contains(row.get(column)));
    }

    private static boolean is(Map<String, String> row, String column, String value) {
        return value.equals(row.get(column));
    }

    private static boolean charged(Map<String, String> row) {
        return (is(row, "ChargeCategory", "Usage") || is(row, "ChargeCategory", "Purchase"))
                && row.get("ChargeClass") == null;
    }

    /** To the last digit of a cost; holds if a part of it is no number, which other rules find. */
    private static boolean matches(Map<String, String> row, String cost, String price) {
        String unit = row.get(price);
        if (unit == null) {
            return same(row.get(cost), row.get("BilledCost"));
        }
        String quantity = row.get("PricingQuantity");
        if (!isNumber(unit) || !isNumber(quantity) || !isNumber(row.get(cost))) {
            return true;
        }
        BigDecimal product = new BigDecimal(unit).multiply(new BigDecimal(quantity));
        return product.setScale(12, RoundingMode.HALF_EVEN).compareTo(new BigDecimal(row.get(cost))) == 0;
    }

    private static boolean same(String one, String other) {
        return !isNumber(one) || !isNumber(other) || new BigDecimal(one).compareTo(new BigDecimal(other)) == 0;
    }

    private static boolean isNumber(String text) {
        return text != null && NUMBER.matcher(text).matches();
    }

    private static boolean isTime(String text) {
        try {
            return text != null
                    && TIME.matcher(text).matches()
                    && Instant.parse(text).toString().equals(text);
        } catch (DateTimeException notATime) {
            return false;
        }
    }

    private static boolean month(Map<String, String> row, String column, int later) {
        String start = row.get("BillingPeriodStart");
        if (!isTime(row.get(column)) || !isTime(start)) {
            return true;
        }
        OffsetDateTime first = Instant.parse(start).atOffset(ZoneOffset.UTC);
        OffsetDateTime month =
                first.toLocalDate().withDayOfMonth(1).atStartOfDay().atOffset(ZoneOffset.UTC);
        return Instant.parse(row.get(column)).equals(month.plusMonths(later).toInstant());
    }

    private static boolean ordered(Map<String, String> row, String first, String second, boolean mayBeEqual) {
        if (!isTime(row.get(first)) || !isTime(row.get(second))) {
            return true;
        }
        int order = Instant.parse(row.get(first)).compareTo(Instant.parse(row.get(second)));
        return order < 0 || (mayBeEqual && order == 0);
    }

    private static boolean isCurrency(String code) {
        return code == null
                || Currency.getAvailableCurrencies().stream()
                        .anyMatch(currency -> Objects.equals(currency.getCurrencyCode(), code));
    }

    private static boolean isFlatJson(String text) {
        JsonFactory strict = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try (JsonParser in = strict.createParser(text)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            while (in.nextToken() != JsonToken.END_OBJECT) {
                if (in.currentToken().isStructStart()) {
                    return false;
                }
            }
            return in.nextToken() == null;
        } catch (IOException notJson) {
            return false;
        }
    }
}
