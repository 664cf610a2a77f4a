package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.machine.Node.Purchase;
import io.knabla.controller.platform.ReplicaCapacity;
import io.knabla.controller.scale.Placement.NodeUsage;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests averages against manual calculations, and placements with their reasons. */
class SeriesAndPlacementTest {
    private static final Duration TEN = Duration.ofSeconds(10);

    /** Two at once in the first four seconds, none later. */
    @ParameterizedTest
    @CsvSource({
        "2500, 10000, 2",
        "4000, 1000, 2",
        "5000, 10000, 1.6",
        "5000, 2000, 1",
        "5000, 1000, 0",
        "8000, 10000, 1",
        "11000, 10000, 0.6",
        "11500, 10000, 0.5",
        "13500, 10000, 0.1",
        "14000, 10000, 0",
        "25000, 10000, 0",
        "90000, 10000, 0"
    })
    void averages(long at, long window, double expected) {
        var series = new ConcurrencySeries(TEN, 0);
        series.change(0, 2);
        if (at > 4000) {
            series.change(4000, -2);
        }
        assertThat(series.average(at, Duration.ofMillis(window))).isEqualTo(expected);
    }

    @Test
    void aBurstIsWeightedByItsTime() {
        var series = new ConcurrencySeries(TEN, 0);
        series.change(0, 3);
        assertThat(series.current()).isEqualTo(3);
        assertThat(series.average(0, TEN)).isEqualTo(3);
        series.change(500, -3);
        assertThat(series.average(1000, TEN)).isEqualTo(1.5);
        assertThat(series.average(3000, TEN)).isEqualTo(0.5);
        assertThat(series.average(3000, Duration.ofSeconds(2))).isZero();
        assertThat(series.average(10_000, TEN)).isEqualTo(0.15);
        assertThat(series.average(11_000, TEN)).isZero();
    }

    @Test
    void constantLoadEqualsItsAverage() {
        var series = new ConcurrencySeries(TEN, 12_345);
        series.change(12_345, 4);
        for (long at : new long[] {12_345, 12_900, 13_000, 20_000, 24_345, 60_000, 61_500, 3_600_000}) {
            assertThat(series.average(at, TEN)).isEqualTo(4.0);
            assertThat(series.average(at, Duration.ofSeconds(3))).isEqualTo(4.0);
        }
    }

    @Test
    void aSeriesThatWasSilentStartsAnew() {
        var series = new ConcurrencySeries(TEN, 0);
        series.change(0, 2);
        series.change(1000, -2);
        series.change(60_000, 1);
        assertThat(series.average(61_000, TEN)).isEqualTo(1);

        var busy = new ConcurrencySeries(TEN, 0);
        busy.change(0, 2);
        busy.change(1000, -2);
        // Still remembered, so the silence counts.
        busy.change(5000, 1);
        assertThat(busy.average(10_000, TEN)).isEqualTo(0.7);
    }

    @ParameterizedTest
    @CsvSource({"1, 4, 4", "2, 4, 4", "2, 3, 4", "8, 4, 16", "8, 100, 100", "1, 1, 1"})
    void aBatchIsGatheredWhileAnotherRuns(int batch, int concurrency, int capacity) {
        assertThat(ReplicaCapacity.of(
                        spec("batching: {maxSize: " + batch + "}, scaling: {concurrency: " + concurrency + "}")))
                .isEqualTo(capacity);
    }

    private static FunctionSpec spec(String fields) {
        String text = "{apiVersion: knabla.dev/v1alpha1, kind: Function, metadata: {name: a}, spec: {model: m, "
                + fields
                + "}}";
        return switch (FunctionYaml.parse(text)) {
            case Parsed.Valid(FunctionResource resource) -> resource.spec();
            case Parsed.Invalid invalid -> throw new AssertionError(invalid);
        };
    }

    private static NodeUsage node(String name, CapacityType type, String zone, int slots, int used, int own) {
        return new NodeUsage(new Node(name, Pool.cpu, type, "local", zone, slots), used, own);
    }

    private static NodeUsage spot(String name, String zone, int used, int own) {
        return node(name, CapacityType.Spot, zone, 4, used, own);
    }

    private static String placed(String fields, NodeUsage... nodes) {
        return Placement.place(spec("placement: {" + fields + "}"), Offering.spot("none"), "planned", List.of(nodes))
                .toString();
    }

    private static NodeUsage bought(String name, Purchase purchase, int used) {
        return new NodeUsage(new Node(name, Pool.cpu, CapacityType.OnDemand, "local", "b", 4, purchase), used, 0);
    }

    /** Each rung of the ladder is used when those above it are full; the planned zone is a. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0, 'Placed[node=reserved', paid for anyway",
        "4, 0, 0, 0, 0, 'Placed[node=s1', planned; zone a has 0",
        "4, 4, 0, 0, 0, 'Placed[node=s2', no usable spot slot in zone a",
        "4, 4, 4, 0, 0, 'Placed[node=hourly', no usable Spot slot",
        "4, 4, 4, 4, 0, 'Placed[node=perUse', paid per use",
        "4, 4, 4, 4, 4, Refused, all 20 slots of pool cpu are taken"
    })
    void theLadderEndsAtCapacityThatIsPaidPerUse(
            int reserved, int spotA, int spotB, int hourly, int perUse, String placement, String why) {
        List<NodeUsage> nodes = List.of(
                bought("perUse", Purchase.PerUse, perUse),
                bought("reserved", Purchase.Reserved, reserved),
                bought("hourly", Purchase.Hourly, hourly),
                spot("s1", "a", spotA, 0),
                spot("s2", "b", spotB, 0));
        assertThat(Placement.place(spec("placement: {}"), Offering.spot("a"), "planned", nodes)
                        .toString())
                .startsWith(placement)
                .contains(why);
    }

    @Test
    void spotFunctionsUseNoOtherCapacity() {
        assertThat(placed(
                        "capacity: Spot",
                        bought("reserved", Purchase.Reserved, 0),
                        bought("perUse", Purchase.PerUse, 0),
                        spot("s1", "a", 4, 0)))
                .startsWith("Refused");
    }

    @Test
    void replicasAreSpreadOverZonesThenNodesThenRoom() {
        assertThat(placed("", spot("s1", "a", 1, 1), spot("s2", "a", 0, 0), spot("s3", "b", 3, 0)))
                .startsWith("Placed[node=s3");
        assertThat(placed("", spot("s1", "a", 1, 1), spot("s2", "a", 2, 0)))
                .startsWith("Placed[node=s2")
                .contains("zone a has 1 of");
        assertThat(placed("", spot("s1", "a", 3, 0), spot("s2", "a", 1, 0))).startsWith("Placed[node=s2");
        assertThat(placed("", node("s1", CapacityType.Spot, "a", 2, 0, 0), node("s2", CapacityType.Spot, "a", 8, 1, 0)))
                .startsWith("Placed[node=s2");
        assertThat(placed("", spot("s2", "a", 0, 0), spot("s1", "a", 0, 0))).startsWith("Placed[node=s1");
    }
}
