package io.knabla.controller.cluster.knative.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.cluster.knative.manifest.Blocker;
import io.knabla.controller.cluster.knative.manifest.SlotPlan;
import java.util.List;
import java.util.Optional;

/**
 * All that a Function's status is judged from.
 *
 * @param generation of the Function that was reconciled
 * @param record empty before the first version, and while the store does not answer
 * @param plan of the newest version, where one was made
 * @param blockers empty where nothing forbids the pods
 * @param analysis of the newest version's model
 */
public record Sight(
        long generation,
        Packaging packaging,
        Optional<FunctionRecord> record,
        Optional<SlotPlan> plan,
        List<Blocker> blockers,
        Seen seen,
        Optional<JsonNode> analysis) {
    public Sight {
        blockers = List.copyOf(blockers);
    }
}
