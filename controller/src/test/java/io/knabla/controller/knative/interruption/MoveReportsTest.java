package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.interruption.Crowding.Crowded;
import io.knabla.controller.knative.interruption.Spreading.Attempt;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.FunctionEvents;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.platform.PlacementReasons.PlacementReason;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.platform.WorkloadOwner;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why a replica started is told more exactly once another one has moved. */
class MoveReportsTest {
    private static final Instant NOW = Instant.parse("2026-11-28T00:00:00Z");
    private static final VersionKey VERSION = new VersionKey(new FunctionId("shop", "digits"), 1);

    private final PlacementReasons reasons = new PlacementReasons();
    private final MoveReports reports =
            new MoveReports((FunctionEvents) (_, _, _) -> {}, reasons, new SimpleMeterRegistry());

    private static RunningPod pod(Instant created) {
        return new RunningPod(
                "uid",
                "shop",
                "new",
                WorkloadOwner.of(VERSION),
                "digits-1",
                new CapacitySlot(Pool.cpu, CapacityType.OnDemand),
                "node",
                Optional.of(created),
                created,
                Duration.ofSeconds(30),
                Optional.empty());
    }

    private Optional<String> causeAfterMove(RunningPod pod) {
        reports.spreads(new Attempt(VERSION, 2, new Crowded("node", 2, 2), NOW), NOW);
        reports.explain(List.of(pod), List.of(pod.name()), NOW);
        return reasons.of(pod.name()).map(PlacementReason::cause);
    }

    @ParameterizedTest
    @CsvSource({"COVERS_MISSING_SPOT, SPREAD", "NEEDED, SPREAD", "HEDGE, HEDGE", "OTHERS_SERVE, OTHERS_SERVE"})
    void whatManyReplicasHaveGivesWayToWhatIsExact(String before, String after) {
        reasons.put("new", new PlacementReason(before, "told before"));

        assertThat(causeAfterMove(pod(NOW.plusSeconds(1)))).contains(after);
    }

    @Test
    void aReplicaThatWasThereBeforeReplacesNone() {
        assertThat(causeAfterMove(pod(NOW.minusSeconds(5)))).isEmpty();
    }
}
