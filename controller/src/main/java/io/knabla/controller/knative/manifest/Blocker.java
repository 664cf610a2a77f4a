package io.knabla.controller.knative.manifest;

import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.resource.Reason;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.knative.settings.Limits;
import io.knabla.controller.knative.settings.PatchCommands;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.GpuShare;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A setting, or a release of Knative, that prevents a version from running on this cluster.
 *
 * @param message what is missing and the command that corrects it
 */
public record Blocker(Reason reason, String message) {
    private static final String NO_GPU_IMAGE =
            "a replica on %s needs an image that computes on a GPU, and KNABLA_CLUSTER_GPU_IMAGE of the controller names none; make one and name it with ./knabla images --push REPOSITORY --gpu-base IMAGE, then apply the overlay again; or set spec.resources.gpu to 0 and spec.placement.pool to cpu";

    /** Finds the blockers of a version in a slot; empty if it can run. */
    static List<Blocker> of(
            FunctionSpec spec, CapacitySlot slot, ClusterCapabilities capabilities, PodSettings settings) {
        List<Blocker> blockers = new ArrayList<>();
        capabilities
                .tooOld()
                .ifPresent(why -> blockers.add(new Blocker(Reason.KnativeTooOld, "Knative Serving is " + why)));
        int parts = GpuShare.parts(spec.resources().gpu());
        for (Feature feature : SchedulingConstraints.requiredFeatures(slot, capabilities.capacity(), parts)) {
            if (!capabilities.features().has(feature)) {
                blockers.add(new Blocker(
                        Reason.FeatureDisabled,
                        "a replica on %s needs '%s: enabled' in Knative's ConfigMap %s (it %s): %s"
                                .formatted(
                                        slot,
                                        feature.key(),
                                        Feature.CONFIG_MAP,
                                        feature.use(),
                                        feature.enableCommand())));
            }
        }
        if (settings.image(slot.pool()).isEmpty()) {
            blockers.add(new Blocker(Reason.GpuImageMissing, NO_GPU_IMAGE.formatted(slot)));
        }
        limits(spec, capabilities.limits(), blockers);
        return List.copyOf(blockers);
    }

    private static void limits(FunctionSpec spec, Limits limits, List<Blocker> blockers) {
        timeout("spec.timeout", spec.timeout(), limits, blockers);
        spec.generation()
                .streamIdleTimeout()
                .ifPresent(time -> timeout("spec.generation.streamIdleTimeout", time, limits, blockers));
        int max = spec.scaling().max();
        if (limits.maxScale() > 0 && max > limits.maxScale()) {
            blockers.add(new Blocker(
                    Reason.FeatureDisabled,
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

    private static void timeout(String key, Duration time, Limits limits, List<Blocker> blockers) {
        long seconds = PodTemplate.seconds(time);
        if (seconds > limits.timeoutSeconds()) {
            blockers.add(new Blocker(
                    Reason.FeatureDisabled,
                    "%s is %d s, above '%s: %d' in Knative's ConfigMap %s; lower it, or: %s"
                            .formatted(
                                    key,
                                    seconds,
                                    Limits.TIMEOUT_KEY,
                                    limits.timeoutSeconds(),
                                    Limits.DEFAULTS,
                                    PatchCommands.set(Limits.DEFAULTS, Limits.TIMEOUT_KEY, Long.toString(seconds)))));
        }
    }
}
