package io.knabla.controller.simulate.spot.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.knabla.controller.simulate.spot.trace.AvailabilityTrace.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TraceReaderTest {
    @Test
    void plainRowsHoldUntilTheZonesNextRow() {
        var trace = TraceReader.read("t", """
                time,zone,available
                0,a,1
                0,b,0
                90.5,a,0
                100,b,0
                """);

        assertThat(trace.zones()).containsExactly("a", "b");
        assertThat(trace.length()).isEqualTo(Duration.ofSeconds(100));
        assertThat(trace.changes())
                .containsExactly(
                        new Change(Duration.ZERO, 0, AvailabilityTrace.UNLIMITED, 0),
                        new Change(Duration.ZERO, 1, 0, 0),
                        new Change(Duration.ofMillis(90_500), 0, 0, 0));
        assertThat(trace.availability(0)).isCloseTo(0.905, within(1e-9));
    }

    @Test
    void plainRowsMayBeCountsAtTimesOfRfc3339InAnyOrder() {
        var trace = TraceReader.read("t", """
                zone,available,time
                a,4,2026-01-01T00:01:00Z
                a,1,2026-01-01T01:00:00+01:00
                """);

        assertThat(trace.start()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(trace.changes())
                .containsExactly(new Change(Duration.ZERO, 0, 1, 0), new Change(Duration.ofMinutes(1), 0, 4, 0));
    }

    @Test
    void gridHasOneColumnForEachZone() {
        var trace = TraceReader.read("t", """
                time_utc,us-east-1a,us-east-1b
                2026-01-01T00:00:00Z,1,0
                2026-01-01T00:03:15Z,0,0
                """);

        assertThat(trace.zones()).containsExactly("us-east-1a", "us-east-1b");
        assertThat(trace.changes()).hasSize(3).contains(new Change(Duration.ofSeconds(195), 0, 0, 0));
    }

    @Test
    void lossOfNodesIsTheSameShareOfReplicas() {
        var trace = TraceReader.read("t", """
                time_ms,event,node
                0,add,n1
                0,add,n2
                0,add,n3
                0,add,n4
                1000,remove,n2
                2000,add,n5
                """);

        assertThat(trace.changes())
                .containsExactly(
                        new Change(Duration.ZERO, 0, 4, 0),
                        new Change(Duration.ofSeconds(1), 0, 3, 0.25),
                        new Change(Duration.ofSeconds(2), 0, 4, 0));
    }

    @Test
    void jsonLinesEndWithDone() {
        var trace = TraceReader.read("t", """
                [0, "add", {"nodes": ["a", "b"]}]
                [500, "remove", {"nodes": ["a"]}]
                [9000, "DONE", {}]
                """);

        assertThat(trace.length()).isEqualTo(Duration.ofSeconds(9));
        assertThat(trace.changes()).last().isEqualTo(new Change(Duration.ofMillis(500), 0, 1, 0.5));
    }

    @Test
    void tellsAllFaultsWithTheirLines() {
        assertThatThrownBy(() -> TraceReader.read("bad.csv", """
                        time,zone,available
                        soon,a,1
                        0,,1
                        1,a,1
                        2,a,-1
                        3,a,some
                        """))
                .isInstanceOfSatisfying(
                        TraceFaultsException.class,
                        fault -> assertThat(fault.faults())
                                .hasSize(4)
                                .satisfiesExactly(
                                        line -> assertThat(line).startsWith("line 2: time is 'soon'"),
                                        line -> assertThat(line).isEqualTo("line 3: zone is missing"),
                                        line -> assertThat(line).startsWith("line 5: available is '-1'"),
                                        line -> assertThat(line).startsWith("line 6: available is 'some'")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            who,what                                      | line 1: the columns are 'who,what'
            time_ms,event,node;0,add,a;5,remove,b         | line 3: node b is not there
            time_ms,event,node;9,add,a;5,add,b            | line 3: the time is before that of the line above
            [0, "add", {"nodes": ["a"]}];[1, "add"        | line 2: must be [time_ms
            time,zone,available                           | needs a zone and two different times
            time,zone,available;0,a,1                     | needs a zone and two different times
            """)
    void refusesWhatIsNoTrace(String lines, String fault) {
        assertThatThrownBy(() -> TraceReader.read("t", lines.replace(';', '\n')))
                .isInstanceOf(TraceFaultsException.class)
                .hasMessageContaining(fault);
    }

    static List<String> bundled() {
        return BundledTraces.names();
    }

    @ParameterizedTest
    @MethodSource("bundled")
    void bundledTracesCanBeRead(String name) {
        AvailabilityTrace trace = BundledTraces.find(name).orElseThrow();

        assertThat(trace.name()).isEqualTo(name);
        assertThat(trace.changes()).hasSizeGreaterThan(3);
    }

    @Test
    void nineZonesAreThoseOfTheRecording() {
        AvailabilityTrace trace = BundledTraces.find(BundledTraces.NINE_ZONES).orElseThrow();

        assertThat(trace.length()).isEqualTo(Duration.ofSeconds(19_865 * 195L));
        assertThat(trace.availability(trace.zones().indexOf("us-west-2b"))).isCloseTo(0.905, within(0.001));
        assertThat(trace.availability(trace.zones().indexOf("us-east-1a"))).isCloseTo(0.166, within(0.001));
    }

    @Test
    void partKeepsWhatHeldBefore() {
        var trace = TraceReader.read("t", "time,zone,available\n0,a,1\n50,a,0\n80,a,1\n100,a,1\n");

        assertThat(trace.part(Duration.ofSeconds(60), Duration.ofSeconds(90)).changes())
                .containsExactly(
                        new Change(Duration.ZERO, 0, 0, 0),
                        new Change(Duration.ofSeconds(20), 0, AvailabilityTrace.UNLIMITED, 0));
    }

    @Test
    void pricesAreOfOneType() {
        assertThatThrownBy(() -> SpotPrices.read("p.csv", """
                        time,zone,instance_type,spot_price_usd_per_hour
                        0,a,g5.xlarge,0.5
                        0,a,g4dn.xlarge,0.5
                        0,b,g5.xlarge,free
                        """, Instant.EPOCH))
                .hasMessageContaining("line 3: instance_type is g4dn.xlarge")
                .hasMessageContaining("line 4: spot_price_usd_per_hour is 'free'");
    }
}
