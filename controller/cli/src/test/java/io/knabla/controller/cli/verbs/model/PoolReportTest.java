package io.knabla.controller.cli.verbs.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.knabla.controller.machine.GpuProfile;
import io.knabla.functions.compiler.pool.CallWork;
import io.knabla.functions.unit.GpuFigure;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolReportTest {
    private static final CallWork WORK = new CallWork(3.6e9, 3.6e9, 46e6, 24e6, 606e3, 50);

    private static ArrayNode report(Optional<GpuProfile> device) {
        return new PoolReport(WORK, device).document();
    }

    @Test
    void withoutAMeasuredGpuAllSpeedsAreAssumed() {
        assertThat(report(Optional.empty()))
                .hasSize(4)
                .allSatisfy(node -> assertThat(node.get("source").asText()).isEqualTo("assumed"));
    }

    @Test
    void aMeasuredGpuTakesThePlaceOfTheSameOne() {
        ArrayNode report = report(Optional.of(new GpuProfile("NVIDIA L4", Map.of(GpuFigure.tf32, 2e13))));

        assertThat(report).hasSize(4);
        assertThat(report.get(0).get("node").asText()).isEqualTo("g6.xlarge");
        assertThat(report.get(0).get("device").asText()).isEqualTo("NVIDIA L4");
        assertThat(report)
                .filteredOn(node -> node.get("source").asText().equals("measured"))
                .hasSize(1);
    }

    @Test
    void aMeasuredGpuThatTheTableLacksIsOneMore() {
        assertThat(report(Optional.of(new GpuProfile("NVIDIA H200", Map.of(GpuFigure.float32, 5e13)))))
                .hasSize(5);
    }
}
