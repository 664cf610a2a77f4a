package io.knabla.controller.cost.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.price.TestBook;
import io.knabla.controller.usage.RequestSum;
import io.knabla.controller.usage.Work;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CostReportsTest {
    private static final Work COUNTED = new Work(41, 2, 1, 5, 9);

    private static Map<Dimension, CostReport> reports(UsageRows rows) {
        return CostReports.of(
                new CostReports.Question(
                        Fleet.PERIOD,
                        ZoneOffset.UTC,
                        EnumSet.allOf(Dimension.class),
                        Scenario.AS_IT_RAN,
                        EnumSet.allOf(Scenario.class)),
                rows,
                new TestBook(),
                ScenarioOptions.DEFAULT);
    }

    private static Work work(Map<Dimension, CostReport> reports, Dimension dimension, String group) {
        return reports.get(dimension).table().rows().stream()
                .filter(row -> row.group().name().equals(group))
                .map(row -> row.use().work())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void amountsThatAreSummedAtOnceAreThoseOfTheirLines() {
        for (UsageRows rows : List.of(Fleet.ROWS, Fleet.WITHOUT_PRICE)) {
            Map<Dimension, CostReport> reports = reports(rows);
            for (Dimension dimension : Dimension.values()) {
                CostTable ofLines = Fleet.table(dimension, ZoneOffset.UTC, rows, Scenario.values());
                assertThat(reports.get(dimension).table()).as(dimension.name()).isEqualTo(ofLines);
            }
            assertThat(reports.get(Dimension.DAY).scenarios())
                    .hasSize(Scenario.values().length)
                    .allMatch(
                            result -> result.lines().isEmpty() && result.nodes().isEmpty());
        }
    }

    @Test
    void requestsThatWereCountedByMinuteReplaceTheReplicasOwnCounters() {
        FunctionVersion version = FunctionVersion.of(Fleet.R1);
        RequestSum sum = new RequestSum.OfVersion(version.namespace(), version.function(), version.version(), COUNTED);
        RequestSum quarter = new RequestSum.OfQuarterHour(Fleet.PERIOD.from(), COUNTED);
        Map<Dimension, CostReport> without = reports(Fleet.ROWS);
        Map<Dimension, CostReport> with =
                reports(new UsageRows(Fleet.ROWS.nodes(), Fleet.ROWS.replicas(), List.of(sum, quarter)));
        assertThat(work(with, Dimension.VERSION, version.toString())).isEqualTo(COUNTED);
        without.get(Dimension.VERSION).table().rows().stream()
                .map(row -> row.group().name())
                .filter(name -> !name.equals(version.toString()))
                .forEach(name -> assertThat(work(with, Dimension.VERSION, name))
                        .isEqualTo(work(without, Dimension.VERSION, name)));
        assertThat(with.get(Dimension.DAY).table().total().use().work()).isEqualTo(COUNTED);
        assertThat(with.get(Dimension.ZONE)).isEqualTo(without.get(Dimension.ZONE));
        Arrays.stream(Dimension.values())
                .forEach(dimension -> assertThat(
                                with.get(dimension).table().total().cost())
                        .isEqualTo(without.get(dimension).table().total().cost()));
    }
}
