package io.knabla.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.pool.Evictions.Ending;
import io.knabla.runtime.pool.Evictions.Reason;
import io.knabla.runtime.pool.Evictions.State;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictionsTest {
    private static final long BUDGET = 300;

    private static State state(String name, long bytes, int inFlight, long idleMillis) {
        return new State(name, bytes, 200, inFlight, idleMillis, 60_000);
    }

    @Test
    void keepsWhatFitsAndIsInUse() {
        assertThat(Evictions.decide(List.of(state("a", 100, 0, 10), state("b", 100, 1, 0)), BUDGET, 0))
                .isEmpty();
    }

    @Test
    void endsWhatNothingCalls() {
        assertThat(Evictions.decide(List.of(state("a", 100, 0, 60_000)), BUDGET, 0))
                .containsExactly(new Ending("a", Reason.IDLE));
    }

    @Test
    void keepsABusyProcessHoweverLongItsRequestTakes() {
        assertThat(Evictions.decide(List.of(state("a", 100, 1, 90_000)), BUDGET, 0))
                .isEmpty();
    }

    @Test
    void endsOnlyTheProcessThatExceedsItsLimitEvenIfItIsBusy() {
        assertThat(Evictions.decide(List.of(state("bad", 201, 3, 0), state("good", 90, 0, 5)), BUDGET, 0))
                .containsExactly(new Ending("bad", Reason.OVER_ITS_LIMIT));
    }

    @Test
    void makesRoomByEndingTheLeastRecentlyUsed() {
        var all = List.of(state("new", 100, 0, 10), state("old", 100, 0, 900), state("busy", 100, 1, 0));

        List<Ending> endings = Evictions.decide(all, BUDGET, 64);

        assertThat(endings).containsExactly(new Ending("old", Reason.MEMORY_NEEDED));
        assertThat(Evictions.fits(all, endings, BUDGET, 64)).isTrue();
    }

    @Test
    void doesNotFitIfEveryProcessIsBusy() {
        var all = List.of(state("a", 150, 1, 0), state("b", 150, 1, 0));

        assertThat(Evictions.fits(all, Evictions.decide(all, BUDGET, 64), BUDGET, 64))
                .isFalse();
    }
}
