package io.knabla.controller.knative.manifest;

import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.knative.settings.Limits;
import io.knabla.controller.knative.settings.PatchCommands;
import io.knabla.functions.spec.FunctionSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * A setting or release of Knative that prevents a version from running on this cluster.
 *
 * @param reason for machines, in one word
 * @param message what is missing and the command that corrects it
 */
public record Blocker(String reason, String message) {
    public static final String FEATURE_DISABLED = "FeatureDisabled";
    public static final String TOO_OLD = "KnativeTooOld";

    /** Finds the blockers of a version in a slot; empty if it can run. */
    static List<Blocker> of(FunctionSpec spec, CapacitySlot slot, ClusterCapabilities terrain) {
        List<Blocker> blockers = new ArrayList<>();
        terrain.tooOld().ifPresent(why -> blockers.add(new Blocker(TOO_OLD, "Knative Serving is " + why)));
        for (Feature feature : SchedulingConstraints.requiredFeatures(slot, terrain.capacity())) {
            if (!terrain.features().has(feature)) {
                blockers.add(new Blocker(
                        FEATURE_DISABLED,
                        "a replica on %s needs '%s: enabled' in Knative's ConfigMap %s (it %s): %s"
                                .formatted(
                                        slot,
                                        feature.key(),
                                        Feature.CONFIG_MAP,
                                        feature.use(),
                                        feature.enableCommand())));
            }
        }
        limits(spec, terrain.limits(), blockers);
        return List.copyOf(blockers);
    }

    private static void limits(FunctionSpec spec, Limits limits, List<Blocker> blockers) {
        long seconds = PodTemplate.timeoutSeconds(spec);
        if (seconds > limits.timeoutSeconds()) {
            blockers.add(new Blocker(
                    FEATURE_DISABLED,
                    "spec.timeout is %d s, above '%s: %d' in Knative's ConfigMap %s; lower it, or: %s"
                            .formatted(
                                    seconds,
                                    Limits.TIMEOUT_KEY,
                                    limits.timeoutSeconds(),
                                    Limits.DEFAULTS,
                                    PatchCommands.set(Limits.DEFAULTS, Limits.TIMEOUT_KEY, Long.toString(seconds)))));
        }
        int max = spec.scaling().max();
        if (limits.maxScale() > 0 && max > limits.maxScale()) {
            blockers.add(new Blocker(
                    FEATURE_DISABLED,
                    "spec.scaling.max is %d, above '%s: %d' in Knative's ConfigMap %s; lower it, or: %s"
                            .formatted(
                                    max,
                                    Limits.MAX_SCALE_KEY,
                                    limits.maxScale(),
                                    Limits.AUTOSCALER,
                                    PatchCommands.set(
                                            Limits.AUTOSCALER, Limits.MAX_SCALE_KEY, Integer.toString(max)))));
        }
    }
}
