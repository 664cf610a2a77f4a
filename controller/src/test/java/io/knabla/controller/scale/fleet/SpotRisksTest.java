package io.knabla.controller.scale.fleet;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.spot.policy.Adaptive;
import io.knabla.controller.spot.policy.CapacityEvent;
import io.knabla.controller.spot.policy.Demand;
import io.knabla.controller.spot.policy.FleetRisk;
import io.knabla.controller.spot.policy.FleetState;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.SpotPolicy;
import io.knabla.controller.spot.policy.ZoneOffer;
import io.knabla.controller.standin.Specs;
import io.knabla.storage.Content;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A policy that has seen zone a take a replica back. */
class SpotRisksTest {
    private static final FunctionId DIGITS = Specs.id("digits");

    private final MemoryObjectStore store = new MemoryObjectStore();
    private Instant now = Instant.parse("2026-11-26T12:00:00Z");

    private SpotRisks risks() {
        return new SpotRisks(store, () -> now);
    }

    private FleetRisk afterALoss() {
        var lost = new CapacityEvent(CapacityEvent.Kind.INTERRUPTED, Offering.spot("us-east-1a"), now);
        return Adaptive.start()
                .decide(fleet(List.of(lost)), new SplittableRandom(1))
                .next()
                .learned()
                .orElseThrow();
    }

    private FleetState fleet(List<CapacityEvent> events) {
        List<ZoneOffer> zones = Stream.of("us-east-1a", "us-west-2a")
                .map(zone -> ZoneOffer.of(zone, 1, 3))
                .toList();
        return new FleetState(now, Demand.of(1), Duration.ofMinutes(2), zones, List.of(), events);
    }

    private List<String> zonesOfSpotLaunches(SpotPolicy policy) {
        return policy.decide(fleet(List.of()), new SplittableRandom(1)).plan().launches().stream()
                .filter(launch -> launch.offering().isSpot())
                .map(launch -> launch.offering().zone())
                .distinct()
                .toList();
    }

    @Test
    void theNextControllerAvoidsTheZoneThatTookAReplicaBack() {
        assertThat(zonesOfSpotLaunches(Adaptive.start())).contains("us-east-1a");
        try (SpotRisks first = risks()) {
            first.of(DIGITS).keep(afterALoss());
        }

        now = now.plusSeconds(30);
        FleetRisk recalled = risks().of(DIGITS).recall().orElseThrow();
        assertThat(recalled).isEqualTo(afterALossAt(now.minusSeconds(30)));
        assertThat(zonesOfSpotLaunches(Adaptive.start().with(recalled))).containsExactly("us-west-2a");
        assertThat(risks().of(Specs.id("other")).recall()).isEmpty();
    }

    private FleetRisk afterALossAt(Instant time) {
        Instant later = now;
        now = time;
        FleetRisk risk = afterALoss();
        now = later;
        return risk;
    }

    @Test
    void aControllerThatLeadsAgainReadsWhatTheOtherLearned() {
        SpotRisks one = risks();
        assertThat(one.of(DIGITS).recall()).isEmpty();
        try (SpotRisks other = risks()) {
            other.of(DIGITS).keep(afterALoss());
        }
        one.forget();
        assertThat(one.of(DIGITS).recall()).isPresent();
    }

    @Test
    void experienceIsStoredOnceAMinute() {
        SpotRisks risks = risks();
        risks.of(DIGITS).keep(afterALoss());
        assertThat(store.read(SpotRisks.KEY)).isEmpty();

        now = now.plus(SpotRisks.SAVE_EVERY);
        risks.of(DIGITS).keep(afterALoss());
        await().untilAsserted(() -> assertThat(store.read(SpotRisks.KEY)).isPresent());
    }

    @Test
    void aDamagedOrNewerDocumentIsNoExperience() throws IOException {
        for (String document : List.of("{", "[]", "{\"version\": 3, \"functions\": {}}", "{\"version\": 2}", "null")) {
            store.write(SpotRisks.KEY, Content.of(document.getBytes(StandardCharsets.UTF_8)));
            assertThat(risks().of(DIGITS).recall()).as(document).isEmpty();
        }
    }

    @Test
    void ofTheVersionWithoutPartsTheZonesAreKnown() throws IOException {
        String document = """
                {"version": 1, "functions": {"%s": {"at": %d, "zones": {"us-east-1a": {"losses": 1.0,
                "heldHours": 0.1, "sinceLossHours": 0.0, "averagePrice": 1.0, "blockedHours": 0.14, "refusals": 1}},
                "recentLosses": {"us-east-1": 0.9}, "amongZones": {"met": 9.0, "lost": 1.0},
                "withinZone": {"met": 4.0, "lost": 3.0}}}}
                """.formatted(DIGITS, now.minusSeconds(30).getEpochSecond());
        store.write(SpotRisks.KEY, Content.of(document.getBytes(StandardCharsets.UTF_8)));

        FleetRisk recalled = risks().of(DIGITS).recall().orElseThrow();
        assertThat(recalled).isEqualTo(recalled.withoutCorrelations());
        assertThat(zonesOfSpotLaunches(Adaptive.start().with(recalled))).containsExactly("us-west-2a");
    }

    @Test
    void experienceOfAMonthAgoIsDropped() {
        SpotRisks risks = risks();
        risks.of(DIGITS).keep(afterALoss());
        now = now.plus(Duration.ofDays(30));
        risks.close();
        assertThat(risks().of(DIGITS).recall()).isEmpty();
    }
}
