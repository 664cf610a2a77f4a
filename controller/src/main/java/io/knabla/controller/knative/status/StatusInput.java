package io.knabla.controller.knative.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.knative.manifest.Blocker;
import io.knabla.controller.knative.manifest.PlacementPlan;
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
public record StatusInput(
        long generation,
        PackagingState packaging,
        Optional<FunctionRecord> record,
        Optional<PlacementPlan> plan,
        List<Blocker> blockers,
        FunctionSnapshot snapshot,
        Optional<JsonNode> analysis) {
    public StatusInput {
        blockers = List.copyOf(blockers);
    }
}
