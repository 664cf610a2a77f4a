package io.knabla.controller.cost.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.UsageRows;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Amounts are computed by hand in {@link Fleet}. */
class CostTableTest {
    @Test
    void functionsHaveTheirReplicasAndNobodyHasTheRest() {
        CostTable table = Fleet.table(Dimension.FUNCTION, Fleet.ROWS);
        assertThat(costs(table)).containsExactly("shop/rank 0.18", "lab/embed 0.075", "(idle) 0.765");
        assertThat(onDemand(table)).containsExactly("shop/rank 0.18", "lab/embed 0.18", "(idle) 1.08");
        assertThat(table.total().cost().priced()).isEqualByComparingTo("1.02");
    }

    @Test
    void everyOtherDimensionHasItsGroups() {
        assertThat(costs(Fleet.table(Dimension.NAMESPACE, Fleet.ROWS)))
                .containsExactly("shop 0.18", "lab 0.075", "(idle) 0.765");
        assertThat(costs(Fleet.table(Dimension.VERSION, Fleet.ROWS)))
                .containsExactly("shop/rank@1 0.18", "lab/embed@2 0.075", "(idle) 0.765");
        assertThat(costs(Fleet.table(Dimension.POOL, Fleet.ROWS))).containsExactly("cpu 1.02");
        assertThat(costs(Fleet.table(Dimension.CAPACITY, Fleet.ROWS))).containsExactly("on-demand 0.72", "spot 0.3");
        assertThat(costs(Fleet.table(Dimension.ZONE, Fleet.ROWS))).containsExactly("ust1-az1 0.72", "ust1-az2 0.3");
        assertThat(costs(Fleet.table(Dimension.DAY, Fleet.ROWS))).containsExactly("2026-03-10 1.02");
    }

    @Test
    void aLimitedTableSumsUpTheSmallestGroups() {
        CostTable table = Fleet.table(Dimension.FUNCTION, Fleet.WITHOUT_PRICE).limited(1);
        assertThat(costs(table)).containsExactly("shop/rank 0.18", "(2 others) 0.075", "(idle) 0.765");
        assertThat(table.rows().get(1).cost().missing()).containsExactly(Unpriced.Reason.NO_ON_DEMAND_PRICE);
        assertThat(table.rows().get(1).use().work().succeeded()).isEqualTo(100);
        assertThat(table.limited(2)).isEqualTo(table);
    }

    @Test
    void hoursCostWhatHeldInThem() {
        // 00: n1; 01: n1 and n2 at 0.12; 02: n2 at 0.18; 03: nothing
        CostTable table = Fleet.table(Dimension.HOUR, Fleet.ROWS);
        assertThat(costs(table))
                .containsExactly(
                        "2026-03-10T00:00+00:00 0.36",
                        "2026-03-10T01:00+00:00 0.48",
                        "2026-03-10T02:00+00:00 0.18",
                        "2026-03-10T03:00+00:00 0");
        assertThat(onDemand(table))
                .extracting(text -> text.substring(text.indexOf(' ') + 1))
                .containsExactly("0.36", "0.72", "0.36", "0");
        // 00: r1 0.09 use and 0.09 idle, n1 0.18 idle; 01: r2 1/4 of 0.12, idle 0.36 + 0.09; 02: r2 1/4 of 0.18
        assertThat(kinds(table, CostKind.USE)).containsExactly("0.09", "0.03", "0.045", "0");
        assertThat(kinds(table, CostKind.IDLE)).containsExactly("0.27", "0.45", "0.135", "0");
    }

    @Test
    void aCommitmentCostsTheSameEveryHour() {
        // 2 instances ran at once from 01:00 to 02:00, so 2 x 0.234 are owed in each hour, used or not.
        assertThat(hours(Scenario.COMMITTED_1Y)).containsExactly("0.468", "0.468", "0.468", "0.468");
    }

    @Test
    void tasksCostTheirTime() {
        // r1: 2 x 0.04 + 8 x 0.004 = 0.112 an hour; r2: 0.04 + 4 x 0.004 = 0.056
        assertThat(hours(Scenario.FARGATE)).containsExactly("0.112", "0.056", "0.056", "0");
    }

    @Test
    void whatIsKeptWarmCostsWhileNothingRan() {
        // rank: 1/2 of n1 from 01:00, 0.18 an hour; embed: unknown before 01:00, 1/4 of n2 from 03:00, 0.045
        // 00: 0.36; 01: 0.48 + 0.18; 02: 0.18 + 0.18; 03: 0.18 + 0.045
        assertThat(hours(Scenario.ALWAYS_WARM)).containsExactly("0.36", "0.66", "0.36", "0.225");
    }

    private static List<String> hours(Scenario scenario) {
        return Fleet.table(Dimension.HOUR, ZoneOffset.UTC, Fleet.ROWS, Scenario.AS_IT_RAN, scenario).rows().stream()
                .map(row -> Decimals.plain(row.others().get(scenario).priced()))
                .toList();
    }

    @Test
    void theSplitOfARowIsItsCost() {
        CostRow rank = row(Fleet.table(Dimension.FUNCTION, Fleet.ROWS), "shop/rank");
        assertThat(rank.split().get(CostKind.USE)).isEqualByComparingTo("0.09");
        assertThat(rank.split().get(CostKind.IDLE)).isEqualByComparingTo("0.09");
        assertThat(rank.split()).containsOnlyKeys(CostKind.values());
    }

    @Test
    void usageIsCountedByGroup() {
        // 2 CPUs and 8 GiB for 3,600 s
        UsageTotals use =
                row(Fleet.table(Dimension.FUNCTION, Fleet.ROWS), "shop/rank").use();
        assertThat(use.replicaSeconds()).isEqualByComparingTo("3600");
        assertThat(use.requested().vcpu()).isEqualByComparingTo("7200");
        assertThat(UsageTotals.gibSeconds(use.requested())).isEqualByComparingTo("28800");
        assertThat(use.work()).isEqualTo(Fleet.R1.work());
        assertThat(row(Fleet.table(Dimension.FUNCTION, Fleet.ROWS), "(idle)").use())
                .isEqualTo(UsageTotals.NONE);
    }

    @Test
    void workIsSpreadOverTheHoursOfAReplica() {
        CostTable table = Fleet.table(Dimension.HOUR, Fleet.ROWS);
        assertThat(table.rows()).extracting(row -> row.use().work().succeeded()).containsExactly(3600L, 50L, 50L, 0L);
        assertThat(table.rows())
                .extracting(row -> Decimals.plain(row.use().replicaSeconds()))
                .containsExactly("3600", "3600", "3600", "0");
    }

    @Test
    void savingsAreAgainstAllOnDemand() {
        CostTable table = Fleet.table(Dimension.FUNCTION, Fleet.ROWS);
        CostRow.Saving saved = row(table, "lab/embed").saved().orElseThrow();
        // 0.18 - 0.075 = 0.105, of 0.18
        assertThat(saved.usd()).isEqualByComparingTo("0.105");
        assertThat(saved.share().orElseThrow()).isEqualByComparingTo("0.583333");
        assertThat(table.total().saved().orElseThrow().usd()).isEqualByComparingTo("0.42");
    }

    @Test
    void withoutAllOnDemandThereIsNoSaving() {
        CostTable table = Fleet.table(Dimension.FUNCTION, ZoneOffset.UTC, Fleet.ROWS, Scenario.AS_IT_RAN);
        assertThat(table.rows()).allMatch(row -> row.saved().isEmpty());
    }

    @Test
    void unitsCostTheRowsDollars() {
        // 0.18 for 3,600 requests and half a million elements
        CostTable table = Fleet.table(Dimension.FUNCTION, Fleet.ROWS);
        assertThat(row(table, "shop/rank").perUnit().perThousandRequests().orElseThrow())
                .isEqualByComparingTo("0.05");
        assertThat(row(table, "shop/rank").perUnit().perMillionElements().orElseThrow())
                .isEqualByComparingTo("0.36");
        assertThat(row(table, "lab/embed").perUnit().perMillionElements()).isEmpty();
        assertThat(row(table, "(idle)").perUnit().perThousandRequests()).isEmpty();
    }

    @Test
    void whatHasNoPriceIsMissingAndNotZero() {
        CostTable table = Fleet.table(Dimension.FUNCTION, Fleet.WITHOUT_PRICE);
        Set<Unpriced.Reason> reason = Set.of(Unpriced.Reason.NO_ON_DEMAND_PRICE);
        assertThat(row(table, "lab/odd").cost()).isEqualTo(new Amount.Missing(reason));
        assertThat(row(table, "lab/odd").saved()).isEmpty();
        assertThat(row(table, "(idle)").cost()).isEqualTo(new Amount.Part(new BigDecimal("0.765000000000"), reason));
        assertThat(row(table, "(idle)").saved()).isEmpty();
        assertThat(row(table, "shop/rank").cost()).isInstanceOf(Amount.Whole.class);
        assertThat(table.total().cost().missing()).isEqualTo(reason);
        assertThat(table.total().perUnit().perThousandRequests()).isEmpty();
    }

    @Test
    void missingPricesMarkTheirPoolsAndHours() {
        CostTable zones = Fleet.table(Dimension.CAPACITY, Fleet.WITHOUT_PRICE);
        assertThat(row(zones, "on-demand").cost()).isInstanceOf(Amount.Part.class);
        assertThat(row(zones, "spot").cost()).isInstanceOf(Amount.Whole.class);
        CostTable hours = Fleet.table(Dimension.HOUR, Fleet.WITHOUT_PRICE);
        assertThat(hours.rows())
                .extracting(row -> row.cost().missing().isEmpty())
                .containsExactly(false, true, true, true);
    }

    @Test
    void replicasOfAnUnknownNodeHaveAGroupOfTheirOwn() {
        UsageRows rows = new UsageRows(List.of(Fleet.N1), List.of(Fleet.R1, Fleet.R2));
        CostTable table = Fleet.table(Dimension.POOL, rows);
        assertThat(costs(table)).containsExactly("cpu 0.72", "(unknown) 0");
        assertThat(row(table, "(unknown)").use().work()).isEqualTo(Fleet.R2.work());
    }

    @Test
    void daysOfAnotherZoneBeginThere() {
        assertThat(costs(Fleet.table(Dimension.DAY, ZoneId.of("Europe/Berlin"), Fleet.ROWS, Scenario.AS_IT_RAN)))
                .containsExactly("2026-03-10 1.02");
        assertThat(costs(Fleet.table(Dimension.DAY, ZoneId.of("Pacific/Honolulu"), Fleet.ROWS, Scenario.AS_IT_RAN)))
                .containsExactly("2026-03-09 1.02");
        // An hour behind UTC, so the day begins at 01:00 UTC.
        assertThat(costs(Fleet.table(Dimension.DAY, ZoneId.of("Atlantic/Cape_Verde"), Fleet.ROWS, Scenario.AS_IT_RAN)))
                .containsExactly("2026-03-09 0.36", "2026-03-10 0.66");
    }

    @Test
    void rowsThatDoNotSumToTheTotalAreRefusedWithTheDifference() {
        CostTable table = Fleet.table(Dimension.FUNCTION, Fleet.ROWS);
        List<CostRow> withoutIdle = table.rows().subList(0, 2);
        assertThatThrownBy(() -> with(table, withoutIdle))
                .isInstanceOf(CostTable.NotConserved.class)
                .hasMessageContaining("AS_IT_RAN is 1.020000000000 USD")
                .hasMessageContaining("a difference of -0.765000000000 USD");
    }

    @Test
    void anotherScenarioThatDoesNotAddUpIsRefusedAsWell() {
        CostTable table = Fleet.table(Dimension.FUNCTION, Fleet.ROWS);
        Map<Scenario, BigDecimal> totals = new EnumMap<>(table.totals());
        totals.merge(Scenario.ALL_ON_DEMAND, new BigDecimal("0.000000000001"), BigDecimal::add);
        assertThatThrownBy(() -> new CostTable(
                        table.dimension(), table.zone(), table.period(), table.main(), totals, table.rows()))
                .hasMessageContaining("ALL_ON_DEMAND")
                .hasMessageContaining("a difference of -0.000000000001 USD");
    }

    @Test
    void aSplitThatIsNotTheCostIsRefused() {
        CostTable table = Fleet.table(Dimension.POOL, Fleet.ROWS);
        CostRow row = table.rows().getFirst();
        CostRow unsplit = new CostRow(row.group(), row.use(), Map.of(), row.cost(), row.others());
        assertThatThrownBy(() -> with(table, List.of(unsplit))).hasMessageContaining("the split of cpu is 1.02");
    }

    @Test
    void theMainScenarioMustBeThereAndEachOnlyOnce() {
        assertThatThrownBy(() -> Fleet.table(Dimension.HOUR, ZoneOffset.UTC, Fleet.ROWS, Scenario.ALL_SPOT))
                .hasMessageContaining("AS_IT_RAN must be among the results")
                .hasMessageContaining("ALL_SPOT");
        assertThatThrownBy(() ->
                        Fleet.table(Dimension.HOUR, ZoneOffset.UTC, Fleet.ROWS, Scenario.AS_IT_RAN, Scenario.AS_IT_RAN))
                .hasMessageContaining("two results of AS_IT_RAN");
    }

    private static CostTable with(CostTable table, List<CostRow> rows) {
        return new CostTable(table.dimension(), table.zone(), table.period(), table.main(), table.totals(), rows);
    }

    private static CostRow row(CostTable table, String group) {
        return table.rows().stream()
                .filter(row -> row.group().name().equals(group))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> costs(CostTable table) {
        return table.rows().stream()
                .map(row -> row.group().name() + " " + Decimals.plain(row.cost().priced()))
                .toList();
    }

    private static List<String> onDemand(CostTable table) {
        return table.rows().stream()
                .map(row -> row.group().name() + " "
                        + Decimals.plain(
                                row.others().get(Scenario.ALL_ON_DEMAND).priced()))
                .toList();
    }

    private static List<String> kinds(CostTable table, CostKind kind) {
        return table.rows().stream()
                .map(row -> Decimals.plain(row.split().get(kind)))
                .toList();
    }
}
