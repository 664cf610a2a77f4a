package io.knabla.controller.spot.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.knabla.controller.spot.policy.CapacityEvent.Kind;
import io.knabla.controller.spot.policy.Replica.State;
import io.knabla.controller.spot.policy.Replica.Warning;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Estimates worked out by hand. */
class RiskTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final ZoneOffer OFFER = ZoneOffer.of("us-east-1a", 3, 9);

    @Test
    void thePastOfAZoneCountsHalfAfterADay() {
        ZoneRisk risk = ZoneRisk.UNKNOWN.after(24, true, 2);
        assertThat(risk).isEqualTo(new ZoneRisk(0, 24, 24, 2, 0, 0));
        assertThat(risk.lost()).isEqualTo(new ZoneRisk(1, 24, 0, 2, 1.0 / 6, 1));
        assertThat(risk.lost().lost().losses()).isEqualTo(2);
        assertThat(risk.lost().after(24, false, 4)).isEqualTo(new ZoneRisk(0.5, 12, 0, 3, 0, 1));
        assertThat(risk.lost().after(24, true, 4)).isEqualTo(new ZoneRisk(0.5, 36, 24, 3, 0, 0));
        assertThat(risk.after(1, true, 2).sinceLossHours()).isEqualTo(25);
        assertThat(risk.lostInPart()).as("open to launches").isEqualTo(new ZoneRisk(1, 24, 0, 2, 0, 0));
        assertThat(risk.refused()).as("no younger").isEqualTo(new ZoneRisk(0, 24, 24, 2, 1.0 / 6, 1));
    }

    @Test
    void lossesAreExpectedFromThePastTheAgeThePriceAndTheScore() {
        var risk = new ZoneRisk(0.5, 12, 0, 3, 0, 0);
        // (0.5 + 0.5) / (0.5 + 12) and 0.6 / 0.1
        double plain = Math.sqrt(0.08 * 6);
        assertThat(risk.lossesPerHour(OFFER)).isCloseTo(plain, within(1e-12));
        assertThat(risk.lossesPerHour(ZoneOffer.of("us-east-1a", 6, 9))).isCloseTo(2 * plain, within(1e-12));
        assertThat(risk.lossesPerHour(ZoneOffer.of("us-east-1a", 1, 9))).isCloseTo(plain, within(1e-12));
        // A score of 10 expects 0.275 losses before anything is known.
        assertThat(risk.lossesPerHour(new ZoneOffer("us-east-1a", 3, 9, OptionalInt.of(10))))
                .isCloseTo(Math.sqrt(0.062 * 6), within(1e-12));
        assertThat(new ZoneRisk(0.5, 12, 5.9, 0, 0, 0).lossesPerHour(OFFER))
                .isCloseTo(Math.sqrt(0.08 * 0.1), within(1e-12));
    }

    @Test
    void aZoneThatRefusesIsLeftAloneTwiceAsLongEachTime() {
        ZoneRisk risk = ZoneRisk.UNKNOWN;
        for (double minutes : new double[] {10, 20, 40, 80, 80}) {
            risk = risk.refused();
            assertThat(risk.isBlocked()).isTrue();
            assertThat(risk.blockedHours()).isCloseTo(minutes / 60, within(1e-12));
            assertThat(risk.refused()).as("while it is blocked").isEqualTo(risk);
            assertThat(risk.after(minutes / 60 - 0.01, false, 1).isBlocked()).isTrue();
            risk = risk.after(minutes / 60, false, 1);
            assertThat(risk.isBlocked()).isFalse();
        }
    }

    @Test
    void aRefusalEndsWhereThereIsRoomAgain() {
        CapacityEvent refusal = event(Kind.LAUNCH_REFUSED, Offering.spot("us-east-1a"));
        CapacityEvent room = event(Kind.ROOM_RETURNED, Offering.spot("us-east-1a"));
        FleetRisk refused = FleetRisk.UNKNOWN.observed(fleet(Duration.ZERO, List.of(), refusal));
        assertThat(refused.isBlocked("us-east-1a")).isTrue();
        assertThat(refused.observed(fleet(Duration.ofSeconds(2), List.of(), room))
                        .zones()
                        .get("us-east-1a"))
                .isEqualTo(new ZoneRisk(0, 0, 0, 3, 0, 0));
        assertThat(refused.observed(fleet(Duration.ofSeconds(2), List.of(), room, LOSS))
                        .isBlocked("us-east-1a"))
                .as("a loss stays one")
                .isTrue();
    }

    @Test
    void whatAnotherProcessWasRefusedCountsForTenMinutesAtMost() {
        var longRefused = new ZoneRisk(1, 2, 0, 3, 80 / 60.0, 4);
        var learned = new FleetRisk(
                Optional.of(NOW),
                Map.of("us-east-1a", longRefused),
                Map.of(),
                Correlation.prior(3, 1),
                Correlation.prior(2, 1),
                Correlation.prior(4, 0.4));
        assertThat(learned.recalled().zones().get("us-east-1a")).isEqualTo(new ZoneRisk(1, 2, 0, 3, 1 / 6.0, 1));
        assertThat(Adaptive.start().with(learned).learned()).contains(learned.recalled());
    }

    private static FleetState fleet(Duration after, List<String> spot, CapacityEvent... events) {
        return new FleetState(
                NOW.plus(after),
                Demand.of(3),
                Duration.ofSeconds(120),
                Stream.of("us-east-1a", "us-east-1b", "us-west-2a")
                        .map(zone -> ZoneOffer.of(zone, 3, 9))
                        .toList(),
                spot.stream()
                        .map(zone -> new Replica(zone, Offering.spot(zone), NOW, State.READY, Warning.NONE))
                        .toList(),
                List.of(events));
    }

    private static CapacityEvent event(Kind kind, Offering offering) {
        return new CapacityEvent(kind, offering, NOW);
    }

    private static final CapacityEvent LOSS = event(Kind.INTERRUPTED, Offering.spot("us-east-1a"));

    @Test
    void aLossRaisesTheRiskOfItsRegionForAWhile() {
        FleetRisk lost = FleetRisk.UNKNOWN.observed(fleet(Duration.ZERO, List.of("us-east-1b"), LOSS));
        assertThat(lost.at()).isEqualTo(Optional.of(NOW));
        assertThat(lost.recentLosses()).isEqualTo(Map.of("us-east-1", 1.0));
        assertThat(lost.isBlocked("us-east-1a")).isTrue();
        assertThat(lost.isBlocked("us-east-1b")).isFalse();
        ZoneOffer neighbour = ZoneOffer.of("us-east-1b", 3, 9);
        double alone = lost.zones().get("us-east-1b").lossesPerHour(neighbour);
        assertThat(lost.lossesPerHour(neighbour)).isEqualTo(2 * alone);

        FleetRisk later = lost.observed(fleet(Duration.ofMinutes(30), List.of("us-east-1b")));
        assertThat(later.recentLosses()).isEqualTo(Map.of("us-east-1", 0.5));
        assertThat(later.zones().get("us-east-1b").heldHours()).isEqualTo(0.5);
        assertThat(later.isBlocked("us-east-1a")).as("after ten minutes").isFalse();
        assertThat(later.observed(fleet(Duration.ofMinutes(30), List.of(), LOSS))
                        .recentLosses())
                .isEqualTo(Map.of("us-east-1", 1.5));
    }

    @Test
    void aZoneThatIsOfferedNoLongerKeepsItsRisk() {
        CapacityEvent loss = event(Kind.INTERRUPTED, Offering.spot("us-east-1c"));
        FleetRisk lost = FleetRisk.UNKNOWN.observed(fleet(Duration.ZERO, List.of("us-east-1b"), loss));
        assertThat(lost.isBlocked("us-east-1c")).isTrue();
        assertThat(lost.zones().get("us-east-1c").losses()).isEqualTo(1);

        FleetRisk later = lost.observed(fleet(Duration.ofDays(1), List.of("us-east-1b")));
        assertThat(later.zones().get("us-east-1c")).isEqualTo(new ZoneRisk(0.5, 0, 0, 0, 0, 1));
    }

    @Test
    void lossesThatComeTogetherAreLearnt() {
        // Beside one of two replicas in 1a; 1b survives, us-west-2a is another region.
        FleetRisk alone = FleetRisk.UNKNOWN.observed(
                fleet(Duration.ZERO, List.of("us-east-1a", "us-east-1b", "us-west-2a"), LOSS));
        assertThat(alone.amongZones()).isEqualTo(new Correlation(4, 1));
        assertThat(alone.withinZone()).isEqualTo(new Correlation(3, 1));
        assertThat(alone.inPart()).isEqualTo(new Correlation(5, 0.4));
        assertThat(alone.isBlocked("us-east-1a")).as("where others are left").isFalse();

        FleetRisk together = FleetRisk.UNKNOWN.observed(fleet(
                Duration.ZERO,
                List.of("us-west-2a"),
                LOSS,
                LOSS,
                event(Kind.INTERRUPTED, Offering.spot("us-east-1b"))));
        assertThat(together.amongZones()).isEqualTo(new Correlation(5, 3));
        assertThat(together.withinZone()).isEqualTo(new Correlation(3, 2));
        assertThat(together.inPart()).isEqualTo(new Correlation(4, 0.4));

        FleetRisk most = FleetRisk.UNKNOWN.observed(fleet(Duration.ZERO, List.of("us-east-1a"), LOSS, LOSS));
        assertThat(most.withinZone()).isEqualTo(new Correlation(4, 1));
        assertThat(most.inPart()).isEqualTo(new Correlation(6, 1.4));
    }

    @Test
    void onlyLossesAndRefusalsOfSpotCapacityCount() {
        FleetRisk risk = FleetRisk.UNKNOWN.observed(fleet(
                Duration.ZERO,
                List.of(),
                event(Kind.INTERRUPTED, Offering.onDemand("us-east-1a")),
                event(Kind.REBALANCE_RECOMMENDED, Offering.spot("us-east-1a")),
                event(Kind.LAUNCH_REFUSED, Offering.spot("us-east-1b"))));
        assertThat(risk.recentLosses()).isEmpty();
        assertThat(risk.isBlocked("us-east-1a")).isFalse();
        assertThat(risk.isBlocked("us-east-1b")).isTrue();
        assertThat(risk.zones().get("us-east-1b").losses()).isZero();
    }
}
