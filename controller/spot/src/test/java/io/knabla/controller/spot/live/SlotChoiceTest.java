package io.knabla.controller.spot.live;

import static io.knabla.controller.spot.live.Versions.OD;
import static io.knabla.controller.spot.live.Versions.SPOT_A;
import static io.knabla.controller.spot.live.Versions.SPOT_B;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.spot.live.SlotChoice.Match;
import io.knabla.controller.spot.policy.Offering;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotChoiceTest {
    private record Node(String name, Offering offering, int own, int room, boolean isLastResort)
            implements SlotChoice.Slot {}

    /** Room on two spot nodes of zone a, one of b, one on demand, and one that is paid per use. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, 1, a1, PLANNED",
        "0, 1, 1, 1, a2, PLANNED",
        "0, 0, 1, 1, b, OTHER_ZONE",
        "0, 0, 0, 1, od, OTHER_CAPACITY",
        "0, 0, 0, 0, dear, LAST_RESORT"
    })
    void takesTheNextBest(int a1, int a2, int b, int od, String name, Match match) {
        List<Node> nodes = List.of(
                new Node("a2", SPOT_A, 0, a2, false),
                new Node("a1", SPOT_A, 0, a1, false),
                new Node("b", SPOT_B, 0, b, false),
                new Node("dear", OD, 0, 1, true),
                new Node("od", OD, 0, od, false));

        SlotChoice.Chosen<Node> chosen = SlotChoice.choose(SPOT_A, nodes).orElseThrow();

        assertThat(chosen.slot().name()).isEqualTo(name);
        assertThat(chosen.match()).isEqualTo(match);
        assertThat(SlotChoice.asPlanned(OD, nodes).isPresent()).isEqualTo(od > 0);
    }

    /** Over zones first, then over nodes, then to most room. */
    @ParameterizedTest
    @CsvSource({"2, 1, 2, 1, 1, b", "1, 0, 2, 1, 1, a2", "0, 0, 1, 2, 1, a1", "0, 0, 1, 1, 2, a2"})
    void spreads(int own1, int own2, int ownB, int room1, int room2, String name) {
        List<Node> nodes = List.of(
                new Node("a1", SPOT_A, own1, room1, false),
                new Node("a2", SPOT_A, own2, room2, false),
                new Node("b", SPOT_B, ownB, 1, false));

        assertThat(SlotChoice.best(nodes, _ -> true).orElseThrow().name()).isEqualTo(name);
    }
}
