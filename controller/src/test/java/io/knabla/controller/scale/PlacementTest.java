package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.scale.Placement.Closed;
import io.knabla.controller.scale.Placement.Closure;
import io.knabla.controller.scale.Placement.Impossible;
import io.knabla.controller.scale.Placement.NodeUsage;
import io.knabla.controller.scale.Placement.Placed;
import io.knabla.controller.scale.Placement.Refused;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.functions.spec.SpotTimeout;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which node a replica is placed on, and the reasons for rejections. */
class PlacementTest {
    /** Four nodes of two slots: on demand and spot, in zones a and b; used and own are given in that order. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # scenario                         | capacity | planned | used    | own     | node | reason
            as planned                         | Mixed    | spot b  | 0 0 0 0 | 0 0 0 0 | sb   | planned; zone b has 0
            the planned zone is full           | Mixed    | spot b  | 0 0 0 2 | 0 0 0 0 | sa   | planned; no usable spot slot in zone b
            no spot left, then on demand       | Mixed    | spot b  | 0 0 2 2 | 0 0 0 0 | oa   | planned; no usable Spot slot
            none on demand left, then spot     | Mixed    | demand  | 2 2 0 0 | 0 0 0 0 | sa   | planned; no usable OnDemand slot
            on demand, zones are spread over   | Mixed    | demand  | 1 0 0 0 | 1 0 0 0 | ob   | planned; zone b has 0
            spot alone stays on spot           | Spot     | spot a  | 0 0 2 0 | 0 0 0 0 | sb   | no usable spot slot in zone a
            most room where all else is equal  | OnDemand | demand  | 1 0 0 0 | 0 0 0 0 | ob   | planned
            """)
    void places(String scenario, Capacity capacity, String planned, String used, String own, String node, String why) {
        FunctionSpec spec = Specs.inference().placement(Pool.auto, capacity, 0).spec();

        Placement placement = Placement.place(spec, offering(planned), "planned", nodes(used, own));

        assertThat(placement).isInstanceOfSatisfying(Placed.class, placed -> {
            assertThat(placed.node()).isEqualTo(node);
            assertThat(placed.reason()).contains(why);
        });
    }

    private static Offering offering(String text) {
        return text.startsWith("spot") ? Offering.spot(text.substring(5)) : Offering.onDemand("a");
    }

    /** Its policy would stop what was placed on spot at once, and place it there again. */
    @Test
    void requestsLongerThanTheNoticeOfASpotNodeWaitForOnDemandCapacity() {
        FunctionSpec spec =
                Specs.inference().timeout(SpotTimeout.LONGEST.plusMillis(1)).spec();

        assertThat(Placement.place(spec, offering("demand"), "", nodes("2 2 0 0", "0 0 0 0")))
                .isInstanceOf(Refused.class);
        assertThat(Placement.place(
                        spec,
                        offering("demand"),
                        "",
                        nodes("0 0 0 0", "0 0 0 0").subList(2, 4)))
                .isInstanceOfSatisfying(
                        Impossible.class,
                        impossible -> assertThat(impossible.reason())
                                .contains(
                                        "no OnDemand node",
                                        "shorten spec.timeout: Mixed uses spot nodes only up to 90 s"));
    }

    @Test
    void closedNodesAreNotUsed() {
        FunctionSpec spec =
                Specs.inference().placement(Pool.cpu, Capacity.Spot, 0).spec();
        var soon = new Closure("taken back", Instant.EPOCH.plusSeconds(5));
        var later = new Closure("blocked", Instant.EPOCH.plusSeconds(9));
        List<NodeUsage> nodes = nodes("0 0 0 0", "0 0 0 0");

        assertThat(Placement.place(spec, Offering.spot("a"), "", closed(nodes, later, null)))
                .isInstanceOfSatisfying(
                        Placed.class, placed -> assertThat(placed.node()).isEqualTo("sb"));
        assertThat(Placement.exactly(spec, Offering.spot("a"), "", closed(nodes, later, null)))
                .isEmpty();
        assertThat(Placement.place(spec, Offering.spot("a"), "", closed(nodes, later, soon)))
                .isEqualTo(new Closed("no node can be used now: sa: blocked; sb: taken back", soon.until()));
        assertThat(Placement.place(spec, Offering.spot("a"), "", closed(nodes("0 0 0 2", "0 0 0 0"), later, null)))
                .isInstanceOfSatisfying(
                        Refused.class,
                        no -> assertThat(no.reason())
                                .startsWith("all 2 Spot slots of pool cpu are taken (sa: blocked);"));
    }

    /** A hedge of a GPU function would run on the CPU. */
    @Test
    void whatIsPlacedExactlyIsInThePoolOfItsFunctionToo() {
        FunctionSpec gpu =
                Specs.inference().placement(Pool.gpu, Capacity.Mixed, 0).spec();
        FunctionSpec cpu =
                Specs.inference().placement(Pool.cpu, Capacity.Mixed, 0).spec();

        assertThat(Placement.exactly(gpu, Offering.spot("a"), "", nodes("0 0 0 0", "0 0 0 0")))
                .isEmpty();
        assertThat(Placement.exactly(cpu, Offering.spot("a"), "", nodes("0 0 0 0", "0 0 0 0")))
                .isPresent();
    }

    /** Closes the spot nodes of zones a and b; null leaves one open. */
    private static List<NodeUsage> closed(List<NodeUsage> nodes, Closure a, Closure b) {
        return nodes.stream()
                .map(use -> switch (use.node().name()) {
                    case "sa" -> new NodeUsage(use.node(), use.used(), use.own(), Optional.ofNullable(a));
                    case "sb" -> new NodeUsage(use.node(), use.used(), use.own(), Optional.ofNullable(b));
                    default -> use;
                })
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # scenario           | pool | capacity | used    | reason
            all are taken        | cpu  | Mixed    | 2 2 2 2 | all 8 slots of pool cpu are taken
            all of a type taken  | cpu  | Spot     | 0 0 2 2 | all 4 Spot slots of pool cpu are taken
            """)
    void refuses(String scenario, Pool pool, Capacity capacity, String used, String reason) {
        FunctionSpec spec = Specs.inference().placement(pool, capacity, 0).spec();

        assertThat(Placement.place(spec, Offering.spot("a"), "", nodes(used, "0 0 0 0")))
                .isInstanceOfSatisfying(
                        Refused.class, no -> assertThat(no.reason()).startsWith(reason));
    }

    /** Unlike a full pool, a missing GPU is not worth waiting for. */
    @Test
    void missingGpuIsImpossible() {
        var byPool = Specs.inference().placement(Pool.gpu, Capacity.Mixed, 0);
        var byResource = Specs.inference().resources(new Resources(Optional.empty(), Optional.empty(), 1));

        for (Specs wish : List.of(byPool, byResource)) {
            assertThat(Placement.place(wish.spec(), Offering.spot("a"), "", nodes("0 0 0 0", "0 0 0 0")))
                    .isInstanceOfSatisfying(
                            Impossible.class,
                            no -> assertThat(no.reason())
                                    .startsWith("no node has pool gpu")
                                    .contains("write gpu: 0 and pool: auto or cpu"));
        }
    }

    @Test
    void saysWhichTypeOfCapacityIsMissing() {
        FunctionSpec spec =
                Specs.inference().placement(Pool.cpu, Capacity.Spot, 0).spec();
        List<NodeUsage> onDemand = nodes("0 0 0 0", "0 0 0 0").subList(0, 2);

        assertThat(Placement.place(spec, Offering.spot("a"), "", onDemand))
                .isInstanceOfSatisfying(
                        Impossible.class, no -> assertThat(no.reason()).startsWith("no Spot node in pool cpu"));
    }

    private static List<NodeUsage> nodes(String used, String own) {
        String[] taken = used.split(" ");
        String[] mine = own.split(" ");
        String[] names = {"oa", "ob", "sa", "sb"};
        return java.util.stream.IntStream.range(0, 4)
                .mapToObj(i -> new NodeUsage(
                        new Node(
                                names[i],
                                Pool.cpu,
                                i < 2 ? CapacityType.OnDemand : CapacityType.Spot,
                                "local",
                                names[i].substring(1),
                                2),
                        Integer.parseInt(taken[i]),
                        Integer.parseInt(mine[i])))
                .toList();
    }
}
