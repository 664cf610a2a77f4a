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
    private static final Weights WEIGHTS = new Weights(2, 0.1, 40, 0.5, 0.25, 0);
    private static final List<Candidate> ZONES = List.of(
            zone("us-east-1a", 0.2, 1, Candidate.UNLIMITED),
            zone("us-east-1b", 0.4, 0, Candidate.UNLIMITED),
            zone("us-west-2a", 0.6, 0, Candidate.UNLIMITED));

    private final Allocations choices = new Allocations(ZONES, WEIGHTS, 0);

    private static Candidate zone(String name, double lossesPerHour, int held, int room) {
        return new Candidate(ZoneOffer.of(name, 1, 2), lossesPerHour, held, room);
    }

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
        Allocation allocation = choices.spread(count, used, 0);

        assertThat(allocation.total()).isEqualTo(count);
        assertThat(allocation.breaksPerHour()).isCloseTo(breaks, within(1e-12));
        assertThat(allocation.cost()).isCloseTo(cost, within(1e-12));
    }

    @Test
    void choosesTheCheapest() {
        assertThat(choices.cheapest(1).counts()).isEqualTo(Map.of("us-east-1a", 3));
        assertThat(choices.cheapest(2).counts())
                .containsExactly(Map.entry("us-east-1a", 2), Map.entry("us-east-1b", 1), Map.entry("us-west-2a", 1));
    }

    @Test
    void onDemandDoesWhatSpotHasNoRoomFor() {
        Allocation none = new Allocations(List.of(), WEIGHTS, 0).cheapest(2);
        assertThat(none.counts()).isEmpty();
        assertThat(none.onDemand()).isEqualTo(2);

        var one = new Allocations(List.of(zone("us-east-1a", 0.01, 1, 1)), WEIGHTS, 0);
        assertThat(one.cheapest(1).counts()).isEqualTo(Map.of("us-east-1a", 1));
        assertThat(one.cheapest(1).onDemand()).isEqualTo(1);
    }

    /**
     * With room, one more on spot costs 1.55 and breaks of 0.412; without, one on demand 2.1, and none breaks of 1.6.
     */
    @Test
    void onDemandHedgesOnlyWhereSpotHasNoRoom() {
        var roomy = new Allocations(List.of(zone("us-east-1a", 0.2, 2, Candidate.UNLIMITED)), WEIGHTS, 0).cheapest(1);
        assertThat(roomy.counts()).isEqualTo(Map.of("us-east-1a", 3));
        assertThat(roomy.onDemand()).isZero();
        assertThat(roomy.cost()).isCloseTo(1.962, within(1e-12));

        var full = new Allocations(List.of(zone("us-east-1a", 0.2, 2, 2)), WEIGHTS, 0).cheapest(1);
        assertThat(full.counts()).isEqualTo(Map.of("us-east-1a", 2));
        assertThat(full.onDemand()).isEqualTo(1);
        assertThat(full.cost()).isCloseTo(2.512, within(1e-12));
        var held = new Allocations(List.of(zone("us-east-1a", 0.2, 2, 2)), WEIGHTS, 1).cheapest(1);
        assertThat(held.cost()).as("without a cold start").isCloseTo(2.412, within(1e-12));
    }

    @Test
    void zonesGetNoMoreThanTheyHaveRoomFor() {
        var choices = new Allocations(
                List.of(
                        zone("us-east-1a", 0.2, 1, 1),
                        zone("us-east-1b", 0.4, 0, 3),
                        zone("us-west-2a", 0.6, 0, Candidate.UNLIMITED)),
                WEIGHTS,
                0);
        assertThat(choices.spread(4, 2, 0).counts()).isEqualTo(Map.of("us-east-1a", 1, "us-east-1b", 3));
        assertThat(choices.spread(5, 3, 0).counts())
                .isEqualTo(Map.of("us-east-1a", 1, "us-east-1b", 2, "us-west-2a", 2));
    }

    /**
     * Half of the other three are lost beside one: two or three of them with 0.5, one with 0.375, after which a second
     * loss is one too many with 0.01.
     */
    @Test
    void severalReplicasOfAZoneMayBeLostTogether() {
        var half = new Weights(2, 0.1, 40, 0.5, 0.25, 0.5);

        Allocation allocation = new Allocations(ZONES, half, 0).spread(4, 1, 0);

        assertThat(allocation.breaksPerHour()).isCloseTo(0.2 * (0.25 + 0.75 * (0.5 + 0.375 * 0.01)), within(1e-12));
    }

    /** The better of two zones with nearly the same risk is another one in each decision. */
    @Test
    void zonesThatChangePlacesKeepWhatTheyHold() {
        Candidate first = zone("us-east-1a", 17, 2, Candidate.UNLIMITED);
        Candidate near = zone("us-east-1b", 37.5, 2, Candidate.UNLIMITED);
        Candidate far = zone("us-west-2a", 37.5, 1, Candidate.UNLIMITED);
        Candidate last = zone("us-west-2b", 44, 1, Candidate.UNLIMITED);
        var weights = new Weights(3, 1.0 / 30, 40, 0.07, 0.03, 0.1);

        for (var zones : List.of(List.of(first, near, far, last), List.of(first, far, near, last))) {
            assertThat(new Allocations(zones, weights, 0).cheapest(1).counts())
                    .isEqualTo(Map.of("us-east-1a", 2, "us-east-1b", 2, "us-west-2a", 1, "us-west-2b", 1));
        }
    }

    @Test
    void noProbabilityIsMoreThanOne() {
        var certain = new Allocations(
                List.of(
                        zone("us-east-1a", 30, 0, Candidate.UNLIMITED),
                        zone("us-west-2a", 30, 0, Candidate.UNLIMITED),
                        zone("eu-west-1a", 30, 0, Candidate.UNLIMITED)),
                WEIGHTS,
                0);

        // Each second loss is certain, and one is enough.
        assertThat(certain.spread(3, 3, 0).breaksPerHour()).isEqualTo(90);
        assertThat(certain.spread(3, 1, 0).breaksPerHour()).isEqualTo(30);
    }
}
