package io.knabla.controller.cluster.knative.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.cluster.knative.manifest.Blocker;
import io.knabla.controller.cluster.knative.manifest.SlotPlan;
import java.util.List;
import java.util.Optional;

/**
 * Input from which a Function's status is computed.
 *
 * @param generation of the reconciled Function
 * @param record empty before the first version, and while the store does not answer
 * @param plan placement of the newest version, if there is one
 * @param blockers empty if the cluster's settings allow the pods
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
