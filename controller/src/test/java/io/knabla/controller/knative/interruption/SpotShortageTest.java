package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.capacity.SpotRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpotShortageTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
    private static final FunctionId DIGITS = new FunctionId("shop", "digits");

    private final SpotShortage shortage = new SpotShortage(Duration.ofMinutes(3));

    @Test
    void aFunctionReturnsAfterTheBlockWhenAReplicaServesThere() {
        shortage.round(Set.of(DIGITS), Set.of(), true, NOW);
        shortage.round(Set.of(), Set.of(DIGITS), true, NOW.plusSeconds(179));
        assertThat(shortage.rooms()).isEqualTo(Map.of(DIGITS, SpotRoom.NO));

        shortage.round(Set.of(), Set.of(), false, NOW.plusSeconds(180));
        assertThat(shortage.rooms()).isEqualTo(Map.of(DIGITS, SpotRoom.NO));
        shortage.round(Set.of(), Set.of(), true, NOW.plusSeconds(180));
        assertThat(shortage.rooms()).isEqualTo(Map.of(DIGITS, SpotRoom.TRIED));
        shortage.round(Set.of(), Set.of(DIGITS), true, NOW.plusSeconds(181));
        assertThat(shortage.rooms()).isEmpty();
    }

    @Test
    void aTryThatFindsNoRoomStartsTheBlockAnew() {
        shortage.round(Set.of(DIGITS), Set.of(), true, NOW);
        shortage.round(Set.of(), Set.of(), true, NOW.plusSeconds(180));
        shortage.round(Set.of(DIGITS), Set.of(), true, NOW.plusSeconds(190));
        assertThat(shortage.rooms()).isEqualTo(Map.of(DIGITS, SpotRoom.NO));
        shortage.round(Set.of(), Set.of(), true, NOW.plusSeconds(369));
        assertThat(shortage.rooms()).isEqualTo(Map.of(DIGITS, SpotRoom.NO));
    }

    @Test
    void requestsAreElsewhereAWhileAfterTheShortageBegan() {
        shortage.round(Set.of(DIGITS), Set.of(), true, NOW);
        shortage.round(Set.of(DIGITS), Set.of(), true, NOW.plusSeconds(9));
        assertThat(shortage.routedAway(NOW.plusSeconds(9))).isEmpty();
        assertThat(shortage.routedAway(NOW.plusSeconds(10))).containsExactly(DIGITS);
    }
}
