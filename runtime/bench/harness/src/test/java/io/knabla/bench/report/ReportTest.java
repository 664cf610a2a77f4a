package io.knabla.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.bench.statistics.PairedSamples;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    static Report report() {
        var paired = new PairedSamples();
        paired.add(101.23456, 1000);
        paired.add(100, 1000);
        paired.add(90, 1000);
        var title = new Row.Title("start-1mb", "ms", "at most 0.10");
        Row row = Row.of(title, paired, "quarkus", Map.of("cpu_ms", Map.of("subject", 12.5)));
        var failed = new FailedRow("start-100mb", "no right answer");
        return new Report("cold", "a machine", List.of(row), List.of(failed));
    }

    @Test
    void jsonHasDocumentedKeys() throws Exception {
        JsonNode json = new ObjectMapper().readTree(ReportJson.write(report()));

        assertThat(json.fieldNames()).toIterable().containsExactly("bench", "host", "rows", "failed");
        assertThat(json.at("/failed/0/name").textValue()).isEqualTo("start-100mb");
        assertThat(json.at("/failed/0/reason").textValue()).isEqualTo("no right answer");
        JsonNode row = json.at("/rows/0");
        assertThat(row.fieldNames())
                .toIterable()
                .containsExactly(
                        "name", "value", "unit", "reference", "ratio", "goal", "rounds", "min", "max", "cpu_ms");
        assertThat(row.at("/name").textValue()).isEqualTo("start-1mb");
        assertThat(row.at("/value").doubleValue()).isEqualTo(100);
        assertThat(row.at("/reference/name").textValue()).isEqualTo("quarkus");
        assertThat(row.at("/reference/value").doubleValue()).isEqualTo(1000);
        assertThat(row.at("/ratio").doubleValue()).isEqualTo(0.1);
        assertThat(row.at("/rounds").intValue()).isEqualTo(3);
        assertThat(row.at("/min").doubleValue()).isEqualTo(0.09);
        assertThat(row.at("/max").doubleValue()).isEqualTo(0.1012);
    }

    @Test
    void tableNamesSubjectAndReference() {
        assertThat(ReportTable.write(report()))
                .contains("bench cold on a machine")
                .contains("start-1mb: ratio 0.1 (0.09 to 0.1012 over 3 rounds)")
                .contains("100 ms against 1000 of quarkus")
                .contains("at most 0.10")
                .contains("subject 12.5")
                .contains("start-100mb: failed: no right answer");
    }
}
