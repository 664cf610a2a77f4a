package io.knabla.controller.cost.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.Scenarios;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import io.knabla.storage.thorough.Thorough;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Random rows around the day on which the clocks of Berlin go back, to the millisecond. */
class CostTablePropertiesTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant FROM = Instant.parse("2026-10-24T20:30:00Z");
    private static final Instant UNTIL = Instant.parse("2026-10-26T01:10:00Z");
    private static final Period PERIOD = new Period(FROM, UNTIL, UNTIL);

    /** Those that cost the same in parts as in whole, see ScenarioPropertiesTest. */
    private static final List<Scenario> PER_SECOND =
            List.of(Scenario.AS_IT_RAN, Scenario.ALL_ON_DEMAND, Scenario.FARGATE);

    /** Prices every scenario, which takes long, so there are few of these. */
    @Test
    void groupsOfEveryDimensionSumToEveryScenario() {
        Dimension[] dimensions = Dimension.values();
        int tries = Thorough.count("knabla.cost.groups", 2 * dimensions.length, 100);
        for (int seed = 0; seed < tries; seed++) {
            assertGroupsSumToEveryScenario(seed, dimensions[seed % dimensions.length]);
        }
    }

    private static void assertGroupsSumToEveryScenario(long seed, Dimension dimension) {
        UsageRows rows = rows(new Random(seed), true);
        List<ScenarioResult> results = Scenarios.all(rows, PERIOD, new ChangingBook(), ScenarioOptions.DEFAULT);
        CostTable table = CostTable.of(dimension, BERLIN, Scenario.AS_IT_RAN, rows, PERIOD, results);
        for (ScenarioResult result : results) {
            BigDecimal sum = Dollars.sum(table.rows().stream()
                    .map(row -> amount(row, result.scenario()).priced())
                    .toList());
            assertThat(sum)
                    .as("%s by %s, seed %d", result.scenario(), dimension, seed)
                    .isEqualTo(result.total());
        }
        assertThat(table.rows()).extracting(row -> row.group().name()).doesNotHaveDuplicates();
    }

    @Property(tries = 60)
    void everyDimensionCountsTheSameUsage(@ForAll long seed, @ForAll Dimension dimension) {
        UsageRows rows = rows(new Random(seed), true);
        List<ScenarioResult> results =
                List.of(Scenarios.one(Scenario.AS_IT_RAN, rows, PERIOD, new ChangingBook(), ScenarioOptions.DEFAULT));
        UsageTotals byVersion = total(Dimension.VERSION, rows, results);
        UsageTotals use = total(dimension, rows, results);
        assertThat(use.work()).isEqualTo(byVersion.work());
        assertThat(use.replicaSeconds()).isEqualByComparingTo(byVersion.replicaSeconds());
        assertThat(use.requested().vcpu())
                .isEqualByComparingTo(byVersion.requested().vcpu());
    }

    /** The time over which costs are spread is right: each hour costs what a report of that hour alone costs. */
    @Property(tries = 40)
    void anHourCostsWhatItsOwnReportCosts(@ForAll long seed) {
        UsageRows rows = rows(new Random(seed), false);
        List<ScenarioResult> results = PER_SECOND.stream()
                .map(scenario -> Scenarios.one(scenario, rows, PERIOD, new ChangingBook(), ScenarioOptions.DEFAULT))
                .toList();
        CostTable table = CostTable.of(Dimension.HOUR, BERLIN, Scenario.AS_IT_RAN, rows, PERIOD, results);
        BigDecimal rounding = new BigDecimal("0.0000000001");
        for (CostRow row : table.rows()) {
            Interval time = row.group().time().orElseThrow();
            Period hour = new Period(time.start(), time.end().orElseThrow(), UNTIL);
            for (Scenario scenario : PER_SECOND) {
                ScenarioResult alone = Scenarios.one(scenario, rows, hour, new ChangingBook(), ScenarioOptions.DEFAULT);
                assertThat(amount(row, scenario)
                                .priced()
                                .subtract(alone.total())
                                .abs())
                        .as("%s at %s", scenario, row.group().name())
                        .isLessThan(rounding);
            }
        }
    }

    /** As above, for what the costs went to. */
    @Property(tries = 40)
    void anHourIsSplitAsItsOwnReportIs(@ForAll long seed) {
        UsageRows rows = rows(new Random(seed), false);
        ScenarioResult result =
                Scenarios.one(Scenario.AS_IT_RAN, rows, PERIOD, new ChangingBook(), ScenarioOptions.DEFAULT);
        CostTable table =
                CostTable.of(Dimension.HOUR, ZoneOffset.UTC, Scenario.AS_IT_RAN, rows, PERIOD, List.of(result));
        BigDecimal rounding = new BigDecimal("0.0000000001");
        for (CostRow row : table.rows()) {
            Interval time = row.group().time().orElseThrow();
            Period hour = new Period(time.start(), time.end().orElseThrow(), UNTIL);
            CostTable alone = CostTable.of(
                    Dimension.NAMESPACE,
                    ZoneOffset.UTC,
                    Scenario.AS_IT_RAN,
                    rows,
                    hour,
                    List.of(Scenarios.one(
                            Scenario.AS_IT_RAN, rows, hour, new ChangingBook(), ScenarioOptions.DEFAULT)));
            alone.total()
                    .split()
                    .forEach((kind, usd) -> assertThat(
                                    row.split().get(kind).subtract(usd).abs())
                            .as("%s at %s", kind, row.group().name())
                            .isLessThan(rounding));
        }
    }

    /** The table that SQL reads has the dollars of the reports by version and by hour, to the last digit. */
    @Property(tries = 40)
    void hoursOfVersionsSumToTheReports(@ForAll long seed) {
        UsageRows rows = rows(new Random(seed), true);
        List<CostRow> cells = CostReports.byVersionAndHour(rows, PERIOD, new ChangingBook());
        for (Dimension dimension : List.of(Dimension.VERSION, Dimension.HOUR)) {
            CostTable table = CostTable.of(
                    dimension,
                    ZoneOffset.UTC,
                    Scenario.AS_IT_RAN,
                    rows,
                    PERIOD,
                    List.of(one(Scenario.AS_IT_RAN, rows), one(Scenario.ALL_ON_DEMAND, rows)));
            for (CostRow row : table.rows()) {
                List<CostRow> parts = cells.stream()
                        .filter(cell -> row.group().time().isPresent()
                                ? cell.group().time().equals(row.group().time())
                                : cell.group().name().equals(row.group().name()))
                        .toList();
                assertThat(parts.stream().map(CostRow::cost).reduce(Amount.ZERO, Amount::plus))
                        .as("%s %s", dimension, row.group().name())
                        .isEqualTo(row.cost());
                assertThat(Dollars.sum(parts.stream()
                                .map(cell -> cell.split().get(CostKind.IDLE))
                                .toList()))
                        .isEqualTo(row.split().get(CostKind.IDLE));
                assertThat(Dollars.sum(parts.stream()
                                .map(cell ->
                                        amount(cell, Scenario.ALL_ON_DEMAND).priced())
                                .toList()))
                        .isEqualTo(amount(row, Scenario.ALL_ON_DEMAND).priced());
            }
        }
    }

    /** Holds every row against the specification, which takes long, so there are few of these. */
    @Test
    void anyRowsMakeFocusRowsThatKeepTheRulesAndSumToTheBill() throws IOException {
        int tries = Thorough.count("knabla.cost.focus", 12, 100);
        for (long seed = 0; seed < tries; seed++) {
            assertFocusRows(rows(new Random(seed), true), "seed " + seed);
        }
    }

    private static void assertFocusRows(UsageRows rows, String seed) throws IOException {
        ScenarioResult paid = one(Scenario.AS_IT_RAN, rows);
        List<FocusRow> focus = FocusRows.of(rows, PERIOD, paid, Optional.of(one(Scenario.ALL_ON_DEMAND, rows)));
        FocusOrigin origin = new FocusOrigin("1", Optional.empty(), "AWS", "AWS", "EC2");
        StringBuilder text = new StringBuilder();
        FocusCsv.write(focus, origin, text);
        assertThat(new FocusRules().violations(FocusRowsTest.parsed(text.toString())))
                .as(seed)
                .isEmpty();
        assertThat(Dollars.sum(focus.stream().map(FocusRow::billed).toList()))
                .as(seed)
                .isEqualTo(paid.total());
    }

    private static ScenarioResult one(Scenario scenario, UsageRows rows) {
        return Scenarios.one(scenario, rows, PERIOD, new ChangingBook(), ScenarioOptions.DEFAULT);
    }

    private static UsageTotals total(Dimension dimension, UsageRows rows, List<ScenarioResult> results) {
        return CostTable.of(dimension, BERLIN, Scenario.AS_IT_RAN, rows, PERIOD, results)
                .total()
                .use();
    }

    private static Amount amount(CostRow row, Scenario scenario) {
        return scenario == Scenario.AS_IT_RAN ? row.cost() : row.others().get(scenario);
    }

    /** @param faulty with unknown nodes and types, replicas outside of their nodes, and more of them than fit */
    private static UsageRows rows(Random random, boolean faulty) {
        List<NodeInterval> nodes = new ArrayList<>();
        List<ReplicaInterval> replicas = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            CapacityType capacity = random.nextBoolean() ? CapacityType.SPOT : CapacityType.ON_DEMAND;
            String type = faulty && random.nextInt(6) == 0 ? "unknown.large" : TestBook.TYPE;
            nodes.add(Fleet.node("n" + i, type, capacity, time(random)));
        }
        for (int i = 0; i < random.nextInt(9); i++) {
            replicas.add(replica(random, i, nodes, faulty));
        }
        return new UsageRows(nodes, replicas);
    }

    private static Interval time(Random random) {
        long millis = Duration.between(FROM, UNTIL).toMillis();
        Instant start = FROM.plusMillis(random.nextLong(-7_200_000, millis));
        Instant end = start.plusMillis(random.nextInt(random.nextBoolean() ? 30_000_000 : 90_000));
        boolean lasts = random.nextInt(8) == 0 || end.isAfter(UNTIL);
        return new Interval(start, lasts ? Optional.empty() : Optional.of(end));
    }

    private static ReplicaInterval replica(Random random, int i, List<NodeInterval> nodes, boolean faulty) {
        NodeInterval node = nodes.get(random.nextInt(nodes.size()));
        Interval time = faulty && random.nextInt(3) == 0 ? time(random) : node.time();
        Resources size = faulty ? Fleet.size(1 + random.nextInt(4)) : new Resources(new BigDecimal("0.4"), 2L << 30, 0);
        NodeInterval on = faulty && random.nextInt(8) == 0
                ? Fleet.node("gone", TestBook.TYPE, CapacityType.SPOT, node.time())
                : node;
        Work work = new Work(
                random.nextInt(500),
                random.nextInt(5),
                random.nextInt(9),
                random.nextInt(9_999),
                random.nextInt(4_000_000),
                Counters.of(Map.of("toy_tokens", random.nextLong(999), "steps", random.nextLong(2))));
        Map<String, Duration> phases =
                Map.of("boot", Duration.ofMillis(random.nextInt(4_000_000) - (faulty ? 1_000 : 0)));
        FunctionVersion version = new FunctionVersion("ns" + random.nextInt(2), "f" + random.nextInt(3), 1);
        return Fleet.replica("r" + i, version, on, size, time, phases, work);
    }
}
