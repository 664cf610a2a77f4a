package io.knabla.controller.warm.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.warm.live.WarmMemory.Claim;
import io.knabla.controller.warm.policy.Reason;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WarmMemoryTest {
    private static final WarmNeed ONE = new WarmNeed(1, 1, Optional.of(Reason.WORTH_KEEPING), Optional.empty());

    private final WarmMemory memory = new WarmMemory(2.5);

    @Test
    void thoseOfAHighPriorityComeFirst() {
        memory.used("slow", 10, 1);
        memory.used("fast", 0.1, 1);
        memory.used("often", 1, 1);
        memory.used("often", 1, 1);
        Map<String, WarmNeed> divided =
                memory.divide(Map.of("slow", new Claim(ONE, 1), "fast", new Claim(ONE, 1), "often", new Claim(ONE, 1)));

        assertThat(divided).containsEntry("slow", ONE).containsEntry("often", ONE);
        assertThat(divided.get("fast"))
                .isEqualTo(new WarmNeed(0, 0, Optional.of(Reason.OVER_BUDGET), Optional.empty()));
    }

    @Test
    void asManyReplicasOfAFunctionAsFit() {
        WarmNeed three = new WarmNeed(3, 1, Optional.of(Reason.WORTH_KEEPING), Optional.empty());

        assertThat(memory.divide(Map.of("f", new Claim(three, 1))).get("f"))
                .extracting(WarmNeed::keep, WarmNeed::start)
                .containsExactly(2, 1);
    }

    /** The clock rises with each eviction, so a function that is used again outranks one that was frequent once. */
    @Test
    void whoWasFrequentOnceGivesWayAtLast() {
        for (int i = 0; i < 3; i++) {
            memory.used("old", 1, 2);
        }
        memory.divide(Map.of("old", new Claim(ONE, 2)));
        int rounds = 0;
        while (memory.divide(Map.of("old", new Claim(ONE, 2), "new", new Claim(ONE, 2)))
                        .get("new")
                        .keep()
                == 0) {
            memory.used("new", 1, 2);
            rounds++;
        }

        assertThat(rounds).isBetween(1, 5);
    }
}
