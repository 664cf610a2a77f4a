package io.knabla.controller.spot.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.knabla.controller.spot.policy.Allocation.Candidate;
import io.knabla.controller.spot.policy.Allocation.Weights;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Worked out by hand: two replicas needed, a gap of 0.1 h, so an expected break costs 8. */
class AllocationsTest {
    private static final Weights WEIGHTS = new Weights(2, 0.1, 40, 0.5, 0.25);
    private static final List<Candidate> ZONES = List.of(
            new Candidate(ZoneOffer.of("us-east-1a", 1, 2), 0.2, 1),
            new Candidate(ZoneOffer.of("us-east-1b", 1, 2), 0.4, 0),
            new Candidate(ZoneOffer.of("us-west-2a", 1, 2), 0.6, 0));

    private final Allocations choices = new Allocations(ZONES, WEIGHTS);

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({
        // The whole zone with 0.25, else the other is lost or not replaced: 0.2.
        "2, 1, 0.2,    2.65",
        "2, 2, 0.6,    5.85",
        // One replica in each: (0.5 + 0.03) 0.2 + (0.5 + 0.03) 0.4 + (0.01 + 0.02) 0.6.
        "3, 3, 0.336,  4.288",
        // 0.2 (0.25 + 0.75 (0.5 + 0.01)) + 0.4 0.5.
        "3, 2, 0.3265, 4.212",
        // 0.2 (0.25 + 0.75 0.01).
        "3, 1, 0.0515, 2.012",
        "4, 1, 0.05,   2.55",
        "4, 2, 0.3,    4.55",
        "4, 3, 0.2325, 4.01"
    })
    void weighsPriceAndExpectedBreaks(int count, int used, double breaks, double cost) {
        Allocation allocation = choices.spread(count, used);

        assertThat(allocation.total()).isEqualTo(count);
        assertThat(allocation.breaksPerHour()).isCloseTo(breaks, within(1e-12));
        assertThat(allocation.cost()).isCloseTo(cost, within(1e-12));
    }

    @Test
    void choosesTheCheapest() {
        assertThat(choices.cheapest(1).counts()).isEqualTo(Map.of("us-east-1a", 3));
        assertThat(choices.cheapest(2).counts())
                .containsExactly(Map.entry("us-east-1a", 2), Map.entry("us-east-1b", 1), Map.entry("us-west-2a", 1));
        assertThat(new Allocations(List.of(), WEIGHTS).cheapest(2).counts()).isEmpty();
    }

    @Test
    void noProbabilityIsMoreThanOne() {
        var certain = new Allocations(
                List.of(
                        new Candidate(ZoneOffer.of("us-east-1a", 1, 2), 30, 0),
                        new Candidate(ZoneOffer.of("us-west-2a", 1, 2), 30, 0),
                        new Candidate(ZoneOffer.of("eu-west-1a", 1, 2), 30, 0)),
                WEIGHTS);

        // Each second loss is certain, and one is enough.
        assertThat(certain.spread(3, 3).breaksPerHour()).isEqualTo(90);
        assertThat(certain.spread(3, 1).breaksPerHour()).isEqualTo(30);
    }
}
