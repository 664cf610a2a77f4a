package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.scale.Placement.Impossible;
import io.knabla.controller.scale.Placement.NodeUsage;
import io.knabla.controller.scale.Placement.Placed;
import io.knabla.controller.scale.Placement.Refused;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
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
            # scenario                         | capacity | base | used    | own     | node | reason
            spot first when mixed              | Mixed    | 0    | 0 0 0 0 | 0 0 0 0 | sa   | spot first
            the base goes on demand            | Mixed    | 1    | 0 0 0 0 | 0 0 0 0 | oa   | 1 of 1 replicas of onDemandBase
            after the base, spot               | Mixed    | 1    | 1 0 0 0 | 1 0 0 0 | sb   | spot first
            no spot left, then on demand       | Mixed    | 0    | 0 0 2 2 | 0 0 0 0 | oa   | no free Spot slot
            base without room, then spot       | Mixed    | 2    | 2 2 0 0 | 0 0 0 0 | sa   | no free OnDemand slot
            spreads over zones                 | Spot     | 0    | 0 0 1 0 | 0 0 1 0 | sb   | placement.capacity asks for Spot
            other functions make it full       | Spot     | 0    | 0 0 2 0 | 0 0 0 0 | sb   | placement.capacity asks for Spot
            most room where all else is equal  | OnDemand | 0    | 1 0 0 0 | 0 0 0 0 | ob   | placement.capacity asks for OnDemand
            """)
    void places(String scenario, Capacity capacity, int base, String used, String own, String node, String reason) {
        FunctionSpec spec =
                Specs.inference().placement(Pool.auto, capacity, base).spec();

        Placement placement = Placement.place(spec, nodes(used, own));

        assertThat(placement).isInstanceOfSatisfying(Placed.class, placed -> {
            assertThat(placed.node()).isEqualTo(node);
            assertThat(placed.reason()).contains(reason);
        });
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # scenario           | pool | capacity | used    | reason
            all are taken        | cpu  | Mixed    | 2 2 2 2 | all 8 slots of pool cpu are taken
            all of a type taken  | cpu  | Spot     | 0 0 2 2 | all 4 Spot slots of pool cpu are taken
            """)
    void refuses(String scenario, Pool pool, Capacity capacity, String used, String reason) {
        FunctionSpec spec = Specs.inference().placement(pool, capacity, 0).spec();

        assertThat(Placement.place(spec, nodes(used, "0 0 0 0")))
                .isInstanceOfSatisfying(
                        Refused.class, no -> assertThat(no.reason()).startsWith(reason));
    }

    /** Unlike a full pool, a missing GPU is not worth waiting for. */
    @Test
    void missingGpuIsImpossible() {
        var byPool = Specs.inference().placement(Pool.gpu, Capacity.Mixed, 0);
        var byResource = Specs.inference().resources(new Resources(Optional.empty(), Optional.empty(), 1));

        for (Specs wish : List.of(byPool, byResource)) {
            assertThat(Placement.place(wish.spec(), nodes("0 0 0 0", "0 0 0 0")))
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

        assertThat(Placement.place(spec, onDemand))
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
