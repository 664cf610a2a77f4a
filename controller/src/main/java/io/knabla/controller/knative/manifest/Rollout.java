package io.knabla.controller.knative.manifest;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.knabla.controller.catalog.FunctionRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The next changes that move a function's objects on the cluster towards the catalog's record: a pure decision.
 * Repeated application converges to a rollout without changes.
 *
 * @param apply for server-side apply in this order: ServiceAccount and Secret (always: the controller may lack the
 *     right to read them), then the Configurations and the Route that differ
 * @param bounds annotations to set on live Revisions, by revision name; only those that differ
 * @param deleteRevisions revisions that no version needs and that get no requests
 * @param deleteConfigurations Configurations of slots that no version can use
 * @param plan placement of the newest version
 * @param blockers reasons why the newest version, or one with traffic, cannot run on this cluster
 * @param readyVersion the newest version that could take requests now
 * @param replacing whether a new revision shall replace a ready one of the same version, for example after a change of
 *     the replica image, and is neither ready nor failed yet
 * @param reason one sentence: which revisions the traffic waits for
 */
public record Rollout(
        List<HasMetadata> apply,
        Map<String, Map<String, String>> bounds,
        List<String> deleteRevisions,
        List<String> deleteConfigurations,
        PlacementPlan plan,
        List<Blocker> blockers,
        Optional<Integer> readyVersion,
        boolean replacing,
        String reason) {
    public Rollout {
        apply = List.copyOf(apply);
        bounds = Map.copyOf(bounds);
        deleteRevisions = List.copyOf(deleteRevisions);
        deleteConfigurations = List.copyOf(deleteConfigurations);
        blockers = List.copyOf(blockers);
    }

    /**
     * @param owner the Function; Kubernetes deletes all objects together with it
     * @param sizes by version number; a missing size is computed without an analysis
     * @param mayReplace whether a new replacement may start now; a started one continues
     */
    public static Rollout next(
            FunctionRecord record,
            OwnerReference owner,
            ObservedObjects seen,
            ClusterCapabilities capabilities,
            PodSettings settings,
            Map<Integer, ReplicaSize> sizes,
            boolean mayReplace) {
        return new RolloutPlanner(record, owner, seen, capabilities, settings, sizes, mayReplace).next();
    }

    /** Whether applying it changes neither what runs nor where requests go. */
    public boolean isConverged() {
        return bounds.isEmpty()
                && deleteRevisions.isEmpty()
                && deleteConfigurations.isEmpty()
                && apply.stream()
                        .noneMatch(object -> object.getKind().equals("Configuration")
                                || object.getKind().equals("Route"));
    }
}
