package io.knabla.controller.knative.preflight;

import io.knabla.controller.knative.preflight.Check.Grade;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.knative.settings.Limits;
import io.knabla.controller.knative.settings.PatchCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks whether a cluster's Knative supports Knabla and names the remedy for each fault: a pure function. */
public final class Preflight {
    private static final String FALSE = "false";

    private Preflight() {}

    /** Runs every check, in the order in which to correct the faults. */
    public static List<Check> of(Installation knative) {
        if (!knative.isInstalled()) {
            return List.of(new Check(
                    "Knative",
                    Grade.Bad,
                    "namespace %s has none of Knative Serving's ConfigMaps".formatted(PatchCommands.NAMESPACE),
                    "install Knative Serving %s or newer: https://knative.dev/docs/install/"
                            .formatted(KnativeVersion.OLDEST)));
        }
        List<Check> checks = new ArrayList<>();
        checks.add(version(knative.version()));
        for (Feature feature : Feature.values()) {
            checks.add(feature(feature, knative));
        }
        checks.add(scaleToZero(knative.data(Limits.AUTOSCALER)));
        checks.add(maxScale(knative.limits()));
        checks.add(timeout(knative.limits()));
        storage(knative.data(Limits.DEFAULTS)).ifPresent(checks::add);
        return List.copyOf(checks);
    }

    /** Why Knabla does not support a release; empty if it does, or if the release is unknown. */
    public static Optional<String> tooOld(String release) {
        Check check = version(release);
        return check.grade() == Grade.Bad ? Optional.of(check.found() + "; " + check.cure()) : Optional.empty();
    }

    private static Check version(String text) {
        String name = "Knative";
        Optional<KnativeVersion> version = KnativeVersion.parse(text);
        if (version.isEmpty()) {
            return new Check(
                    name,
                    Grade.Poor,
                    "its release is unknown (found '%s')".formatted(text),
                    "make sure that it is %s or newer: older ones restart pods when a function's scale bounds change"
                            .formatted(KnativeVersion.OLDEST));
        }
        if (version.get().compareTo(KnativeVersion.OLDEST) < 0) {
            return new Check(
                    name,
                    Grade.Bad,
                    "%s, whose scale bounds cannot change without a restart of pods".formatted(text),
                    "update Knative Serving to %s or newer".formatted(KnativeVersion.OLDEST));
        }
        return version.get().equals(KnativeVersion.TESTED)
                ? new Check(name, Grade.Good, text, "")
                : new Check(
                        name, Grade.Good, "%s; Knabla's tests run on %s".formatted(text, KnativeVersion.TESTED), "");
    }

    private static Check feature(Feature feature, Installation knative) {
        String value = knative.data(Feature.CONFIG_MAP).get(feature.key());
        String found = "%s in ConfigMap %s is %s; it %s"
                .formatted(
                        feature.key(),
                        Feature.CONFIG_MAP,
                        value == null ? "not set (%s)".formatted(feature.isDefault() ? "enabled" : "disabled") : value,
                        feature.use());
        return knative.features().has(feature)
                ? new Check(feature.title(), Grade.Good, found, "")
                : new Check(
                        feature.title(), feature.isOptional() ? Grade.Poor : Grade.Bad, found, feature.enableCommand());
    }

    private static Check scaleToZero(Map<String, String> autoscaler) {
        String key = "enable-scale-to-zero";
        return FALSE.equalsIgnoreCase(autoscaler.getOrDefault(key, "true"))
                ? new Check(
                        "scale to zero",
                        Grade.Poor,
                        "%s in ConfigMap %s is false, so every function keeps a replica for ever"
                                .formatted(key, Limits.AUTOSCALER),
                        PatchCommands.set(Limits.AUTOSCALER, key, "true"))
                : new Check("scale to zero", Grade.Good, "on", "");
    }

    private static Check maxScale(Limits limits) {
        return limits.maxScale() > 0
                ? new Check(
                        "replicas",
                        Grade.Poor,
                        "a function with spec.scaling.max above %d is refused (%s in ConfigMap %s)"
                                .formatted(limits.maxScale(), Limits.MAX_SCALE_KEY, Limits.AUTOSCALER),
                        PatchCommands.set(Limits.AUTOSCALER, Limits.MAX_SCALE_KEY, "0"))
                : new Check("replicas", Grade.Good, "no limit except each function's own", "");
    }

    private static Check timeout(Limits limits) {
        return new Check(
                "timeout",
                Grade.Good,
                "spec.timeout may be up to %d s (%s in ConfigMap %s)"
                        .formatted(limits.timeoutSeconds(), Limits.TIMEOUT_KEY, Limits.DEFAULTS),
                "");
    }

    /** Checks the disk limit: a replica keeps its unit on the node's disk, and a pod above the limit is evicted. */
    private static Optional<Check> storage(Map<String, String> defaults) {
        String key = "revision-ephemeral-storage-limit";
        return Optional.ofNullable(defaults.get(key))
                .map(limit -> new Check(
                        "local disk",
                        Grade.Poor,
                        "a replica may keep %s on its node (%s in ConfigMap %s); with a larger unit it is evicted"
                                .formatted(limit, key, Limits.DEFAULTS),
                        "kubectl patch configmap %s -n %s --type json -p '[{\"op\":\"remove\",\"path\":\"/data/%s\"}]'"
                                .formatted(Limits.DEFAULTS, PatchCommands.NAMESPACE, key)));
    }
}
