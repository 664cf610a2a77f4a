package io.knabla.controller.cost.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.cost.token.TokenPrice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class CostJsonTest {
    private static final TokenPrice PRICE =
            new TokenPrice("other", BigDecimal.ONE, BigDecimal.ZERO, new BigDecimal("2"));

    @Test
    void theDocumentHasStableNames() throws IOException {
        assertThat(json(Dimension.FUNCTION, Fleet.ROWS, Scenario.AS_IT_RAN, Scenario.ALL_ON_DEMAND))
                .startsWith(compact("""
                        {"period":{"from":"2026-03-10T00:00:00Z","until":"2026-03-10T04:00:00Z",
                         "readAt":"2026-03-10T04:00:00Z"},
                         "dimension":"FUNCTION","timeZone":"Z","currency":"USD","mainScenario":"AS_IT_RAN",
                         "rows":[
                          {"group":"shop/rank","replicaSeconds":3600,
                           "requested":{"vcpuSeconds":7200,"gibSeconds":28800,"gpuSeconds":0},
                           "used":{"vcpuSeconds":7200,"gibSeconds":28800,"gpuSeconds":0},
                           "requests":{"ok":3600,"failed":4,"retried":5},"elements":500000,
                           "cost":{"usd":0.18},
                           "split":{"useUsd":0.09,"idleUsd":0.09,"coldStartUsd":0,"overProvisionUsd":0,
                            "interruptionUsd":0,"overheadUsd":0},
                           "otherScenarios":{"allOnDemand":{"usd":0.18}},
                           "saved":{"usd":0,"share":0},
                           "usdPerThousandRequests":0.05,"usdPerMillionElements":0.36},
                          {"group":"lab/embed",
                        """));
    }

    @Test
    void countersAreThereIfThereAreAny() throws IOException {
        UsageRows rows = new UsageRows(List.of(Fleet.N1, Fleet.N2), List.of(Fleet.counting("r1"), Fleet.R2));
        assertThat(json(Dimension.FUNCTION, rows, Scenario.AS_IT_RAN))
                .contains("\"elements\":500000,\"counters\":{\"steps\":3,\"toy_tokens\":42},\"cost\":")
                .contains("\"group\":\"total\"")
                .containsPattern("\"elements\":500000,\"counters\":.*\"elements\":500000,\"counters\":")
                .contains("\"elements\":0,\"cost\":");
        assertThat(json(Dimension.FUNCTION, Fleet.ROWS, Scenario.AS_IT_RAN)).doesNotContain("counters");
    }

    /** Rows that other work may be in say nothing about tokens. */
    @Test
    void tokensHaveTheirCostHereAndAtAListPrice() throws IOException {
        UsageRows rows = new UsageRows(List.of(Fleet.N1, Fleet.N2), List.of(Fleet.writing("r1"), Fleet.R2));
        assertThat(json(Dimension.FUNCTION, rows, Scenario.AS_IT_RAN)).containsOnlyOnce(compact("""
                        "tokens":{"prompt":1500,"cached":500,"generated":500,"usdPerMillion":90,
                         "atListPrices":[{"name":"other","usd":0.002,"usdPerMillion":1}]}}
                        """));
        assertThat(json(Dimension.VERSION, rows, Scenario.AS_IT_RAN)).containsOnlyOnce("\"tokens\"");
        assertThat(json(Dimension.NAMESPACE, rows, Scenario.AS_IT_RAN)).doesNotContain("\"tokens\"");
    }

    @Test
    void scenariosHaveTheirPricesAndSources() throws IOException {
        assertThat(json(Dimension.FUNCTION, Fleet.ROWS, Scenario.AS_IT_RAN)).endsWith(compact("""
                        "scenarios":[{"scenario":"AS_IT_RAN","totalUsd":1.02,"creditUsd":0,"freeTierUsd":0,"complete":true,
                         "prices":[
                          {"subject":"an hour of test.xlarge us-test-1 ust1-az1","usd":0.36,"quality":"DECLARED",
                           "source":"TestBook","retrieved":"2026-01-01T00:00:00Z"},
                          {"subject":"an hour of test.xlarge us-test-1 ust1-az2","usd":0.12,"quality":"DECLARED",
                           "source":"TestBook","retrieved":"2026-01-01T00:00:00Z"},
                          {"subject":"an hour of test.xlarge us-test-1 ust1-az2","usd":0.18,"quality":"DECLARED",
                           "source":"TestBook","retrieved":"2026-01-01T00:00:00Z"}],
                         "assumptions":[],"breakEvens":[],"unpriced":[],"faults":[]}]}
                        """));
    }

    @Test
    void assumptionsAndBreakEvensAreThere() throws IOException {
        // One node ran at a time but from 01:00 to 02:00: 2 committed, for 4 h each; 4 h of 8 h used.
        assertThat(json(Dimension.HOUR, Fleet.ROWS, Scenario.AS_IT_RAN, Scenario.COMMITTED_1Y))
                .contains("{\"kind\":\"COMMITTED_PEAK\",\"subject\":\"test.xlarge us-test-1\",\"value\":2}")
                .contains("\"instances\":2,\"utilisation\":0.5,\"breakEvenUtilisation\":0.65}");
    }

    @Test
    void missingPricesAndFaultsAreNamed() throws IOException {
        UsageRows twice = new UsageRows(Fleet.WITHOUT_PRICE.nodes(), List.of(Fleet.R1, Fleet.R1, Fleet.R2, Fleet.R3));
        assertThat(json(Dimension.FUNCTION, twice, Scenario.AS_IT_RAN))
                .contains("{\"group\":\"lab/odd\",")
                .contains("\"cost\":{\"missing\":[\"NO_ON_DEMAND_PRICE\"]}")
                .contains("\"complete\":false")
                .contains("{\"reason\":\"NO_ON_DEMAND_PRICE\",\"row\":\"n3\","
                        + "\"subject\":\"unknown.large us-test-1 ust1-az1\","
                        + "\"start\":\"2026-03-10T00:00:00Z\",\"end\":\"2026-03-10T01:00:00Z\"}")
                .contains("{\"kind\":\"DUPLICATE_ROW\",\"row\":\"r1\",");
    }

    @Test
    void hoursHaveTheirTimes() throws IOException {
        assertThat(json(Dimension.HOUR, Fleet.ROWS, Scenario.AS_IT_RAN))
                .contains("{\"group\":\"2026-03-10T01:00+00:00\",\"start\":\"2026-03-10T01:00:00Z\","
                        + "\"end\":\"2026-03-10T02:00:00Z\",");
    }

    @Test
    void numbersHaveNoExponent() {
        assertThat(Decimals.plain(new BigDecimal("1E+9"))).isEqualTo("1000000000");
        assertThat(Decimals.plain(new BigDecimal("0.000000000001"))).isEqualTo("0.000000000001");
    }

    @Test
    void numbersInTheDocumentHaveNoExponent() throws IOException {
        // 7,200 as a stripped BigDecimal is 7.2E+3.
        assertThat(json(Dimension.FUNCTION, Fleet.ROWS, Scenario.AS_IT_RAN)).doesNotContainPattern("[0-9]E[+-]?[0-9]");
    }

    @Test
    void resultsThatTheTableIsNotOfAreRefused() {
        CostTable table = Fleet.table(Dimension.FUNCTION, Fleet.ROWS);
        assertThatThrownBy(() -> new CostReport(table, Fleet.priced(Fleet.ROWS, Scenario.AS_IT_RAN)))
                .hasMessageContaining("[AS_IT_RAN, ALL_ON_DEMAND]");
    }

    private static String json(Dimension dimension, UsageRows rows, Scenario... scenarios) throws IOException {
        List<ScenarioResult> results = Fleet.priced(rows, scenarios);
        CostTable table = Fleet.table(dimension, ZoneOffset.UTC, rows, scenarios);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CostJson.write(new CostReport(table, results), List.of(PRICE), more -> {}, bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String compact(String text) {
        return text.lines().map(String::strip).reduce("", String::concat);
    }
}
