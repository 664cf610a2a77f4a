package io.knabla.controller.cost.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.UsageRows;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class CostCsvTest {
    private static final String USAGE =
            "replica_seconds,requested_vcpu_seconds,requested_gib_seconds,requested_gpu_seconds,used_vcpu_seconds,"
                    + "used_gib_seconds,used_gpu_seconds,requests_ok,requests_failed,requests_retried,elements";

    private static final String HEADER = "dimension,group,start_utc,end_utc," + USAGE
            + ",use_usd,idle_usd,cold_start_usd,over_provision_usd,interruption_usd,overhead_usd"
            + ",total_usd,total_missing,all_on_demand_usd,all_on_demand_missing"
            + ",saved_usd,saved_share,usd_per_1000_requests,usd_per_million_elements,counters,usd_per_million_tokens";

    @Test
    void rowsHaveTheirUnitsInTheHeader() throws IOException {
        assertThat(csv(Fleet.table(Dimension.FUNCTION, Fleet.ROWS)).lines())
                .containsExactly(
                        HEADER,
                        "function,shop/rank,,,3600,7200,28800,0,7200,28800,0,3600,4,5,500000"
                                + ",0.09,0.09,0,0,0,0,0.18,,0.18,,0,0,0.05,0.36,,",
                        "function,lab/embed,,,7200,7200,28800,0,7200,28800,0,100,0,0,0"
                                + ",0.075,0,0,0,0,0,0.075,,0.18,,0.105,0.583333,0.75,,,",
                        "function,(idle),,,0,0,0,0,0,0,0,0,0,0,0,0,0.765,0,0,0,0,0.765,,1.08,,0.315,0.291667,,,,");
    }

    @Test
    void aMissingPriceIsAnEmptyCellWithItsReason() throws IOException {
        assertThat(csv(Fleet.table(Dimension.FUNCTION, Fleet.WITHOUT_PRICE)).lines())
                .anyMatch(line -> line.startsWith("function,lab/odd")
                        && line.endsWith(",0,0,0,0,0,0,,NO_ON_DEMAND_PRICE,,NO_ON_DEMAND_PRICE,,,,,,"));
    }

    @Test
    void countersAreOneCellOfJson() throws IOException {
        UsageRows rows = new UsageRows(List.of(Fleet.N1, Fleet.N2), List.of(Fleet.counting("r1"), Fleet.R2));
        assertThat(csv(Fleet.table(Dimension.FUNCTION, rows)).lines().skip(1))
                .first()
                .asString()
                .startsWith("function,shop/rank,")
                .endsWith(",\"{\"\"steps\"\":3,\"\"toy_tokens\"\":42}\",");
    }

    @Test
    void aMillionTokensHaveACostOfTheirOwn() throws IOException {
        UsageRows rows = new UsageRows(List.of(Fleet.N1, Fleet.N2), List.of(Fleet.writing("r1"), Fleet.R2));
        assertThat(csv(Fleet.table(Dimension.FUNCTION, rows)).lines().skip(1))
                .first()
                .asString()
                .endsWith("}\",90");
    }

    @Test
    void hoursHaveTheirTimeInUtc() throws IOException {
        CostTable hours =
                Fleet.table(Dimension.HOUR, ZoneOffset.ofHours(2), Fleet.ROWS, Scenario.AS_IT_RAN, Scenario.ALL_SPOT);
        assertThat(csv(hours).lines().skip(1))
                .first()
                .asString()
                .startsWith("hour,2026-03-10T02:00+02:00,2026-03-10T00:00:00Z,2026-03-10T01:00:00Z,3600,");
    }

    private static String csv(CostTable table) throws IOException {
        StringBuilder text = new StringBuilder();
        CostCsv.write(table, text);
        return text.toString();
    }
}
