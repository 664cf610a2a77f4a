package io.knabla.controller.cluster.knative.manifest;

import java.util.List;

/**
 * On which capacity a version runs, and how its requests are shared out: a pure decision.
 *
 * @param reason for people, a sentence
 */
public record SlotPlan(List<Share> shares, String reason) {
    /**
     * @param percent of the version's requests; all shares add up to 100
     * @param min replicas that are always there
     */
    public record Share(Slot slot, int percent, int min, int max) {}

    public SlotPlan {
        shares = List.copyOf(shares);
    }
}
