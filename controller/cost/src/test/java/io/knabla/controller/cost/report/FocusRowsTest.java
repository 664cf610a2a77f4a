package io.knabla.controller.cost.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.Scenarios;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.price.BundledPrices;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.ReferencePrices;
import io.knabla.controller.price.RowBook;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import java.io.IOException;
import java.io.StringReader;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Amounts are computed by hand in {@link Fleet}. */
class FocusRowsTest {
    private static final FocusOrigin ORIGIN =
            new FocusOrigin("123456789012", Optional.of("research"), "AWS", "AWS", "Amazon Elastic Compute Cloud");

    @Test
    void everyRowKeepsTheRulesOfItsColumns() throws IOException {
        List<Map<String, String>> rows = csv(Fleet.ROWS, Fleet.PERIOD);
        assertThat(rows).hasSize(5);
        assertThat(new FocusRules().violations(rows)).isEmpty();
    }

    @Test
    void billedCostsSumToTheScenario() {
        List<FocusRow> rows = rows(Fleet.ROWS, Fleet.PERIOD);
        assertThat(Dollars.sum(rows.stream().map(FocusRow::billed).toList())).isEqualByComparingTo("1.02");
        assertThat(Dollars.sum(rows.stream().map(FocusRow::listed).toList())).isEqualByComparingTo("1.44");
    }

    @Test
    void aRowSaysThatItsPriceIsAssumed() throws IOException {
        NodeInterval laptop = Fleet.node(
                "n",
                "local",
                CapacityType.ON_DEMAND,
                Fleet.ROWS.nodes().getFirst().time());
        UsageRows rows = new UsageRows(List.of(laptop), List.of());
        PriceBook book = new RowBook(ReferencePrices.rows(BundledPrices.book(), 4));
        ScenarioResult paid = Scenarios.one(Scenario.AS_IT_RAN, rows, Fleet.PERIOD, book, ScenarioOptions.DEFAULT);
        StringBuilder text = new StringBuilder();

        FocusCsv.write(FocusRows.of(rows, Fleet.PERIOD, paid, Optional.empty()), ORIGIN, text);

        assertThat(parsed(text.toString()))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.get("Tags")).contains("\"knabla/price\":\"assumed\""));
        assertThat(csv(Fleet.ROWS, Fleet.PERIOD))
                .noneSatisfy(row -> assertThat(row.get("Tags")).contains("assumed"));
    }

    @Test
    void aRowOnSpotHasItsListPriceAndItsFunction() throws IOException {
        // r2 has a quarter of n2 for 2 h: half an hour of it, at 0.36 on demand; it paid 0.075
        assertThat(csv(Fleet.ROWS, Fleet.PERIOD))
                .filteredOn(row -> row.get("Tags").contains("r2"))
                .singleElement()
                .satisfies(
                        row -> assertThat(row)
                                .containsEntry("BilledCost", "0.075")
                                .containsEntry("EffectiveCost", "0.075")
                                .containsEntry("ListCost", "0.18")
                                .containsEntry("ListUnitPrice", "0.36")
                                .containsEntry("PricingQuantity", "0.5")
                                .containsEntry("PricingCategory", "Dynamic")
                                .containsEntry("ChargePeriodStart", "2026-03-10T00:00:00Z")
                                .containsEntry("ChargePeriodEnd", "2026-03-10T04:00:00Z")
                                .containsEntry("BillingPeriodEnd", "2026-04-01T00:00:00Z")
                                .containsEntry("ChargeDescription", "test.xlarge on spot: use of lab/embed@2")
                                .containsEntry("ChargeClass", null)
                                .containsEntry("ResourceName", "node n2")
                                .containsEntry("AvailabilityZone", "ust1-az2")
                                .containsEntry(
                                        "Tags",
                                        "{\"knabla/function\":\"embed\",\"knabla/namespace\":\"lab\","
                                                + "\"knabla/version\":\"2\",\"knabla/replica\":\"r2\",\"knabla/part\":\"use\"}"));
    }

    @Test
    void theRowOfAReplicasUseHasItsTokens() throws IOException {
        List<Map<String, String>> rows =
                csv(new UsageRows(Fleet.ROWS.nodes(), List.of(Fleet.writing("r1"), Fleet.R2)), Fleet.PERIOD);

        assertThat(rows)
                .filteredOn(row -> row.get("x_PromptTokens") != null)
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("ChargeDescription", "test.xlarge on demand: use of shop/rank@1")
                        .containsEntry("x_PromptTokens", "1500")
                        .containsEntry("x_CachedTokens", "500")
                        .containsEntry("x_GeneratedTokens", "500"));
        assertThat(rows)
                .filteredOn(row -> row.get("x_PromptTokens") == null)
                .hasSize(4)
                .allMatch(row -> row.get("x_CachedTokens") == null && row.get("x_GeneratedTokens") == null);
        assertThat(new FocusRules().violations(rows)).isEmpty();
    }

    /** One hour before midnight and one after it, all of it use. */
    @Test
    void tokensOfTwoDaysSumToThoseOfTheReplica() throws IOException {
        Interval night = Interval.of(Instant.parse("2026-03-10T23:00:00Z"), Instant.parse("2026-03-11T01:00:00Z"));
        NodeInterval node = Fleet.node("n9", TestBook.TYPE, CapacityType.SPOT, night);
        Work work = new Work(9, 0, 0, 0, 7_200_000, new Counters(Map.of("prompt_tokens", 33L, "generated_tokens", 8L)));
        ReplicaInterval replica =
                Fleet.replica("r9", new FunctionVersion("shop", "rank", 1), node, Fleet.size(4), night, Map.of(), work);
        Period period = Period.past(Instant.parse("2026-03-10T22:00:00Z"), Instant.parse("2026-03-11T06:00:00Z"));

        assertThat(csv(new UsageRows(List.of(node), List.of(replica)), period))
                .extracting(row -> row.get("x_PromptTokens") + " " + row.get("x_GeneratedTokens"))
                .containsExactly("16 4", "17 4");
    }

    /** As the specification asks: its own ones first, each kind by name. */
    @Test
    void columnsAreInTheOrderOfTheirNames() throws IOException {
        List<String> columns = List.copyOf(spotRow().keySet());

        assertThat(columns)
                .isSortedAccordingTo(Comparator.comparing((String column) -> column.startsWith("x_"))
                        .thenComparing(Comparator.naturalOrder()));
    }

    @Test
    void aRowOnDemandIsAtListPrice() throws IOException {
        assertThat(csv(Fleet.ROWS, Fleet.PERIOD))
                .filteredOn(row -> row.get("PricingCategory").equals("Standard"))
                .hasSize(3)
                .allMatch(row -> row.get("BilledCost").equals(row.get("ListCost")));
    }

    @Test
    void aCostOverTheEndOfAMonthHasARowInEach() throws IOException {
        // 23:00 to 01:30: 1 h in March, 1.5 h in April
        Period night = Period.past(Instant.parse("2026-03-31T22:00:00Z"), Instant.parse("2026-04-01T06:00:00Z"));
        NodeInterval node = Fleet.node(
                "n9",
                TestBook.TYPE,
                CapacityType.SPOT,
                Interval.of(Instant.parse("2026-03-31T23:00:00Z"), Instant.parse("2026-04-01T01:30:00Z")));
        List<Map<String, String>> rows = csv(new UsageRows(List.of(node), List.of()), night);
        assertThat(rows)
                .extracting(row -> row.get("BillingPeriodStart") + " " + row.get("ChargePeriodStart") + " "
                        + row.get("BilledCost") + " " + row.get("PricingQuantity"))
                .containsExactly(
                        "2026-03-01T00:00:00Z 2026-03-31T22:00:00Z 0.18 1",
                        "2026-04-01T00:00:00Z 2026-04-01T00:00:00Z 0.27 1.5");
        assertThat(new FocusRules().violations(rows)).isEmpty();
    }

    @Test
    void withoutAListPriceTheListCostIsWhatWasBilled() throws IOException {
        ScenarioResult paid = Fleet.priced(Scenario.AS_IT_RAN, Fleet.ROWS, Fleet.PERIOD);
        List<Map<String, String>> rows = csv(FocusRows.of(Fleet.ROWS, Fleet.PERIOD, paid, Optional.empty()));
        assertThat(rows)
                .allMatch(row -> row.get("ListUnitPrice") == null)
                .allMatch(row -> row.get("ListCost").equals(row.get("BilledCost")));
        // 0.075 at 0.15 an hour, the mean of 0.12 and 0.18
        assertThat(rows)
                .filteredOn(row -> row.get("Tags").contains("r2"))
                .extracting(row -> row.get("PricingQuantity"))
                .containsExactly("0.5");
        assertThat(new FocusRules().violations(rows)).isEmpty();
    }

    @Test
    void aNodeWithoutAPriceHasNoRows() {
        assertThat(rows(Fleet.WITHOUT_PRICE, Fleet.PERIOD))
                .hasSize(5)
                .noneMatch(row -> row.node().id().equals("n3"));
    }

    @Test
    void onlyWhatWasPaidIsExported() {
        ScenarioResult spot = Fleet.priced(Scenario.ALL_SPOT, Fleet.ROWS, Fleet.PERIOD);
        assertThatThrownBy(() -> FocusRows.of(Fleet.ROWS, Fleet.PERIOD, spot, Optional.empty()))
                .hasMessageContaining("AS_IT_RAN")
                .hasMessageContaining("not of ALL_SPOT");
    }

    @Test
    void namesAreNotBlank() {
        assertThatThrownBy(() -> new FocusOrigin("1", Optional.empty(), " ", "AWS", "EC2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not be blank");
        assertThatThrownBy(() -> new FocusOrigin("1", Optional.of(""), "AWS", "AWS", "EC2"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anAccountMayHaveNoName() throws IOException {
        FocusOrigin nameless = new FocusOrigin("1", Optional.empty(), "AWS", "AWS", "EC2");
        StringBuilder text = new StringBuilder();
        FocusCsv.write(rows(Fleet.ROWS, Fleet.PERIOD), nameless, text);
        assertThat(new FocusRules().violations(parsed(text.toString()))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BilledCost",
                "BillingAccountId",
                "BillingAccountName",
                "BillingCurrency",
                "BillingPeriodStart",
                "BillingPeriodEnd",
                "ChargeCategory",
                "ChargeClass",
                "ChargeDescription",
                "ChargePeriodStart",
                "ChargePeriodEnd",
                "ContractedCost",
                "EffectiveCost",
                "InvoiceIssuerName",
                "ListCost",
                "PricingQuantity",
                "PricingUnit",
                "ProviderName",
                "PublisherName",
                "ServiceCategory",
                "ServiceName"
            })
    void theCheckFindsAMandatoryColumnThatIsAbsent(String column) throws IOException {
        Map<String, String> row = spotRow();
        row.remove(column);
        assertThat(new FocusRules().violations(List.of(row)))
                .anyMatch(text -> text.startsWith(column + ": it is present"));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "NULL",
            value = {
                "BilledCost, NULL",
                "BilledCost, '1,020'",
                "BilledCost, +1",
                "BilledCost, 3E+7",
                "BilledCost, $1",
                "BillingAccountId, NULL",
                "BillingAccountId, ' '",
                "BillingAccountName, ''",
                "BillingCurrency, NULL",
                "BillingCurrency, usd",
                "BillingCurrency, ZZZ",
                "BillingPeriodStart, NULL",
                "BillingPeriodStart, 2026-03-02T00:00:00Z",
                "BillingPeriodStart, 2026-03-01",
                "BillingPeriodStart, 2026-03-01T00:00:00+01:00",
                "BillingPeriodEnd, NULL",
                "BillingPeriodEnd, 2026-03-31T00:00:00Z",
                "BillingPeriodEnd, 2026-05-01T00:00:00Z",
                "ChargeCategory, NULL",
                "ChargeCategory, usage",
                "ChargeClass, Standard",
                "ChargeClass, ''",
                "ChargeDescription, ''",
                "ChargePeriodStart, NULL",
                "ChargePeriodStart, 2026-03-10T04:00:00Z",
                "ChargePeriodStart, 2026-02-28T23:00:00Z",
                "ChargePeriodStart, 2026-03-10T00:00:00.5Z",
                "ChargePeriodEnd, NULL",
                "ChargePeriodEnd, 2026-04-01T00:00:01Z",
                "ChargePeriodEnd, 2026-02-30T00:00:00Z",
                "ContractedCost, NULL",
                "ContractedCost, 0.076",
                "EffectiveCost, NULL",
                "EffectiveCost, 0",
                "InvoiceIssuerName, NULL",
                "InvoiceIssuerName, ''",
                "InvoiceIssuerName, a reseller",
                "InvoiceId, ''",
                "RegionName, ''",
                "ListCost, NULL",
                "ListCost, 0.180000000001",
                "ListUnitPrice, -0.36",
                "ListUnitPrice, cheap",
                "PricingQuantity, NULL",
                "PricingQuantity, 1/2",
                "PricingUnit, NULL",
                "PricingUnit, hours",
                "PricingCategory, NULL",
                "PricingCategory, Spot",
                "PricingCategory, Committed",
                "ProviderName, NULL",
                "PublisherName, NULL",
                "ServiceCategory, NULL",
                "ServiceCategory, Machine Learning",
                "ServiceName, NULL",
                "ServiceSubcategory, Object Storage",
                "ConsumedQuantity, NULL",
                "ConsumedUnit, NULL",
                "ChargeFrequency, NULL",
                "ChargeFrequency, Daily",
                "ResourceName, n2",
                "ResourceType, NULL",
                "RegionId, ''",
                "AvailabilityZone, ' '",
                "Tags, part",
                "Tags, '{\"a\":{}}'",
                "Tags, '{\"a\":1,\"a\":2}'"
            })
    void theCheckFindsAWrongValue(String column, String value) throws IOException {
        Map<String, String> row = spotRow();
        row.put(column, value);
        assertThat(new FocusRules().violations(List.of(row))).anyMatch(text -> text.startsWith(column + ":"));
    }

    @Test
    void theCheckFindsColumnsThatDoNotFitEachOther() throws IOException {
        Map<String, String> tax = spotRow();
        tax.put("ChargeCategory", "Tax");
        Map<String, String> purchase = spotRow();
        purchase.put("ChargeCategory", "Purchase");
        Map<String, String> otherPrice = spotRow();
        otherPrice.put("ListUnitPrice", "0.37");
        Map<String, String> noListPrice = spotRow();
        noListPrice.put("ListUnitPrice", null);
        Map<String, String> otherCategory = spotRow();
        otherCategory.put("ServiceCategory", "Storage");
        Map<String, String> abbreviated = spotRow();
        abbreviated.put("cost_part", "use");
        FocusRules rules = new FocusRules();
        assertThat(rules.violations(List.of(tax))).anyMatch(text -> text.startsWith("PricingQuantity: it is null"));
        assertThat(rules.violations(List.of(purchase))).anyMatch(text -> text.startsWith("ChargeFrequency:"));
        assertThat(rules.violations(List.of(otherPrice))).anyMatch(text -> text.startsWith("ListCost:"));
        assertThat(rules.violations(List.of(noListPrice))).anyMatch(text -> text.startsWith("ListCost:"));
        assertThat(rules.violations(List.of(spotRow(), otherCategory)))
                .anyMatch(text -> text.startsWith("ServiceName: it has one category"));
        assertThat(rules.violations(List.of(abbreviated))).anyMatch(text -> text.startsWith("cost_part:"));
    }

    private static Map<String, String> spotRow() throws IOException {
        return csv(Fleet.ROWS, Fleet.PERIOD).stream()
                .filter(row -> row.get("Tags").contains("r2"))
                .findFirst()
                .orElseThrow();
    }

    private static List<FocusRow> rows(UsageRows rows, Period period) {
        return FocusRows.of(
                rows,
                period,
                Fleet.priced(Scenario.AS_IT_RAN, rows, period),
                Optional.of(Fleet.priced(Scenario.ALL_ON_DEMAND, rows, period)));
    }

    private static List<Map<String, String>> csv(UsageRows rows, Period period) throws IOException {
        return csv(rows(rows, period));
    }

    private static List<Map<String, String>> csv(List<FocusRow> rows) throws IOException {
        StringBuilder text = new StringBuilder();
        FocusCsv.write(rows, ORIGIN, text);
        return parsed(text.toString());
    }

    static List<Map<String, String>> parsed(String text) throws IOException {
        CSVFormat format = CSVFormat.RFC4180
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .setNullString("")
                .get();
        try (Stream<CSVRecord> records = format.parse(new StringReader(text)).stream()) {
            return records.map(record -> (Map<String, String>) new LinkedHashMap<>(record.toMap()))
                    .toList();
        }
    }
}
