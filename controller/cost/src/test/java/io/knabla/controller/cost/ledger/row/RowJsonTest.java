package io.knabla.controller.cost.ledger.row;

import static io.knabla.controller.cost.ledger.TestRows.FIVE;
import static io.knabla.controller.cost.ledger.TestRows.SIX;
import static io.knabla.controller.cost.ledger.TestRows.ended;
import static io.knabla.controller.cost.ledger.TestRows.replica;
import static io.knabla.controller.cost.ledger.TestRows.requests;
import static io.knabla.controller.cost.ledger.TestRows.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowJsonTest {
    private static UsageRecord again(UsageRecord row) throws RowFormatException {
        return RowJson.decode(new String(RowJson.encode(row), StandardCharsets.UTF_8))
                .row();
    }

    private static UsageRecord node(String vcpus, Instant start) {
        Resources size = new Resources(new BigDecimal(vcpus), 0, 0);
        Interval time = new Interval(start, Optional.empty());
        return new UsageRecord.Node(
                new NodeInterval("n", "n", "", CapacityType.ON_DEMAND, "", "", "", size, time, NodeEnd.RUNNING), 0);
    }

    @Test
    void everyKindIsReadAsItWasWritten() throws Exception {
        for (UsageRecord row : List.of(
                running("a", FIVE, 0),
                ended("a", FIVE, SIX, Long.MAX_VALUE),
                replica("r", FIVE, 5, 1),
                requests("r", FIVE, 5, 1))) {
            assertThat(again(row)).isEqualTo(row);
            assertThat(new String(RowJson.encode(row), StandardCharsets.UTF_8)).doesNotContain("\n");
        }
    }

    @Test
    void aRowIsKeptToTheMicrosecondAndTheMillionthOfACpu() throws Exception {
        assertThat(again(node("0.1234567", FIVE.plusNanos(1999)))).isEqualTo(node("0.123457", FIVE.plusNanos(1000)));
        assertThat(again(node("4.00", FIVE))).isEqualTo(node("4", FIVE));
        assertThat(again(node("1E+3", FIVE))).isEqualTo(node("1000", FIVE));
    }

    @Test
    void whatAColumnCouldNotHoldIsRefused() {
        assertThatThrownBy(() -> RowJson.encode(node("1000000000000", FIVE))).hasMessageContaining("12 digits");
        assertThatThrownBy(() -> RowJson.encode(node("1", Instant.MIN))).hasMessageContaining("lies between");
        assertThatThrownBy(() -> running(" ", FIVE, 0)).hasMessageContaining("needs an id");
        assertThatThrownBy(() -> running("a", FIVE, -1)).hasMessageContaining("revision of 0 or more");
    }

    @Test
    void whatIsMissingHasItsDefault() throws Exception {
        UsageRecord row = RowJson.decode("{\"kind\":\"node\",\"id\":\"n\",\"start_time\":\"2026-11-23T05:00:00Z\"}")
                .row();
        Resources none = new Resources(BigDecimal.ZERO, 0, 0);
        Interval time = new Interval(FIVE, Optional.empty());
        assertThat(row)
                .isEqualTo(new UsageRecord.Node(
                        new NodeInterval("n", "", "", CapacityType.ON_DEMAND, "", "", "", none, time, NodeEnd.RUNNING),
                        0));
    }

    @Test
    void fieldsOfANewerVersionAreIgnored() throws Exception {
        RowJson.Versioned read = RowJson.decode("""
                {"kind":"requests","v":7,"id":"r@x","replica":"r","start_time":"2026-11-23T05:00:00Z","carbon":{"g":1}}
                """);
        assertThat(read.version()).isEqualTo(7);
        assertThat(read.row().id()).isEqualTo("r@2026-11-23T05:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{\"kind\":\"pod\",\"id\":\"a\",\"start_time\":\"2026-11-23T05:00:00Z\"}",
                "{\"kind\":\"node\",\"start_time\":\"2026-11-23T05:00:00Z\"}",
                "{\"kind\":\"node\",\"id\":\"a\"}",
                "{\"kind\":\"node\",\"id\":\"a\",\"start_time\":\"today\"}",
                "{\"kind\":\"node\",\"id\":\"a\",\"start_time\":\"2026-11-23T05:00:00Z\",\"capacity\":\"RESERVED\"}",
                "{\"kind\":\"node\",\"id\":\"a\",\"start_time\":\"2026-11-23T05:00:00Z\",\"memory_bytes\":-1}",
                "{\"kind\":\"node\",\"id\":\"a\",\"start_time\":\"2026-11-23T05:00:00Z\","
                        + "\"end_time\":\"2026-11-23T04:00:00Z\"}",
                "{\"kind\":\"requests\",\"replica\":\"r\",\"start_time\":\"2026-11-23T05:00:00Z\","
                        + "\"counters\":{\"toy_tokens\":-1}}",
                "{\"kind\":\"requests\",\"replica\":\"r\",\"start_time\":\"2026-11-23T05:00:00Z\","
                        + "\"counters\":{\"toy_tokens\":null}}"
            })
    void whatIsNoRowIsRefused(String line) {
        assertThatThrownBy(() -> RowJson.decode(line)).isInstanceOf(RowFormatException.class);
    }
}
