package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;

/** {@code ./knabla cost} of a platform: the table as people read it, and the figures of the same period. */
record PrintedCosts(String table, JsonNode report) {
    private static final JsonMapper EXACT = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    static PrintedCosts of(InstalledPlatform platform, Instant from, Instant until) throws JsonProcessingException {
        return new PrintedCosts(
                run(platform, from, until, "capacity", "table"),
                EXACT.readTree(run(platform, from, until, "capacity", "json")));
    }

    /** The row of one function, {@code namespace/name}. */
    static JsonNode ofFunction(InstalledPlatform platform, Instant from, Instant until, String function)
            throws JsonProcessingException {
        JsonNode rows =
                EXACT.readTree(run(platform, from, until, "function", "json")).get("rows");
        for (JsonNode row : rows) {
            if (row.get("group").textValue().equals(function)) {
                return row;
            }
        }
        throw new AssertionError(function + " is not in " + rows);
    }

    private static String run(InstalledPlatform platform, Instant from, Instant until, String by, String format) {
        return platform.knabla("cost", "--from", from.toString(), "--to", until.toString(), "--by", by, "-o", format)
                .good()
                .out();
    }

    Duration period() {
        JsonNode period = report.get("period");
        return Duration.between(
                Instant.parse(period.get("from").textValue()),
                Instant.parse(period.get("until").textValue()));
    }

    /** In dollars, of all nodes. */
    BigDecimal total(String scenario) {
        return scenario(scenario).get("totalUsd").decimalValue();
    }

    /** In dollars: what EC2 does not bill of nodes that it took back in their first hour. */
    BigDecimal credit() {
        return scenario("AS_IT_RAN").get("creditUsd").decimalValue();
    }

    void assertComplete() {
        assertThat(scenario("AS_IT_RAN").get("complete").booleanValue())
                .as(report.toPrettyString())
                .isTrue();
    }

    private JsonNode scenario(String name) {
        for (JsonNode scenario : report.get("scenarios")) {
            if (scenario.get("scenario").textValue().equals(name)) {
                return scenario;
            }
        }
        throw new AssertionError(name + " is not in " + report.get("scenarios"));
    }

    /** In dollars, for a time in whole seconds. */
    static BigDecimal bill(String usdPerHour, Duration time) {
        return new BigDecimal(usdPerHour)
                .multiply(BigDecimal.valueOf(time.toSeconds()))
                .divide(BigDecimal.valueOf(3600), 12, RoundingMode.HALF_EVEN);
    }
}
