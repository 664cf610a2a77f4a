package io.knabla.controller.cost.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.scenario.CommitmentSweep.Part;
import io.knabla.controller.cost.scenario.CommitmentSweep.Spell;
import io.knabla.controller.price.TestNodes;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class CommitmentSweepTest {
    private static final int MINUTES = 40;

    /** The rule itself, minute by minute: of the nodes that run, those that started first have the instances. */
    @Property(tries = 200)
    void atEachMomentTheNodesThatHaveRunLongestAreCommitted(
            @ForAll long seed, @ForAll @IntRange(min = 0, max = 5) int instances) {
        List<Part> parts = parts(new Random(seed));
        Map<String, List<Spell>> spells = CommitmentSweep.spells(parts, instances);
        int peak = 0;
        for (int minute = 0; minute < MINUTES; minute++) {
            Instant at = minute(minute);
            List<String> running = parts.stream()
                    .filter(part -> part.time().contains(at))
                    .map(Part::node)
                    .sorted(CommitmentSweep.LONGEST)
                    .map(NodeInterval::id)
                    .toList();
            peak = Math.max(peak, running.size());
            int first = Math.min(instances, running.size());
            assertThat(held(spells, at, true)).containsExactlyInAnyOrderElementsOf(running.subList(0, first));
            assertThat(held(spells, at, false))
                    .containsExactlyInAnyOrderElementsOf(running.subList(first, running.size()));
        }
        assertThat(CommitmentSweep.peak(parts)).isEqualTo(peak);
    }

    private static List<String> held(Map<String, List<Spell>> spells, Instant at, boolean committed) {
        return spells.entrySet().stream()
                .filter(node -> node.getValue().stream()
                        .anyMatch(spell ->
                                spell.committed() == committed && spell.time().contains(at)))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<Part> parts(Random random) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < random.nextInt(12); i++) {
            int start = random.nextInt(MINUTES) - MINUTES / 4;
            int end = Math.max(0, start) + 1 + random.nextInt(MINUTES);
            NodeInterval node = TestNodes.node(
                    "n" + i, CapacityType.ON_DEMAND, Interval.of(minute(start), minute(end)), NodeEnd.RELEASED);
            parts.add(new Part(node, Interval.of(minute(Math.max(0, start)), minute(end))));
        }
        return parts;
    }

    private static Instant minute(int minute) {
        return TestNodes.MIDNIGHT.plusSeconds(60L * minute);
    }
}
