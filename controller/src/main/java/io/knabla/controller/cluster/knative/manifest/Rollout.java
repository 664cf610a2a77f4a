package io.knabla.controller.cluster.knative.manifest;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.knabla.controller.catalog.FunctionRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The next step from what a cluster has of a function towards what the catalog says: a pure answer. Applied and
 * observed again and again it comes to rest, with nothing left to do.
 *
 * @param apply by server-side apply and in this order: ServiceAccount and Secret (always, they may be unreadable), then
 *     Configurations and the Route where they differ from what is there
 * @param bounds annotations to set on live Revisions, by their name; only those that differ
 * @param deleteRevisions that no version needs and no request goes to
 * @param deleteConfigurations that no version can ever use
 * @param plan of the newest version
 * @param blockers what keeps the newest version, or one with traffic, from being asked of Knative
 * @param readyVersion the newest that could take requests now
 * @param replacing whether a revision that is ready is to give way to another of the same version, as with a new
 *     replica image, and the other has not shown yet whether it runs
 * @param reason where requests go and what is waited for, a sentence
 */
public record Rollout(
        List<HasMetadata> apply,
        Map<String, Map<String, String>> bounds,
        List<String> deleteRevisions,
        List<String> deleteConfigurations,
        SlotPlan plan,
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
     * @param owner the Function; everything of it goes with it
     * @param sizes by version number; what is missing is sized without an analysis
     * @param mayReplace whether such a replacement may begin now; one that has begun goes on
     */
    public static Rollout next(
            FunctionRecord record,
            OwnerReference owner,
            Observed seen,
            Terrain terrain,
            PodSettings settings,
            Map<Integer, Size> sizes,
            boolean mayReplace) {
        return new Step(record, owner, seen, terrain, settings, sizes, mayReplace).next();
    }

    /** Whether applying it changes what runs or where requests go. */
    public boolean isAtRest() {
        return bounds.isEmpty()
                && deleteRevisions.isEmpty()
                && deleteConfigurations.isEmpty()
                && apply.stream()
                        .noneMatch(object -> object.getKind().equals("Configuration")
                                || object.getKind().equals("Route"));
    }
}
