package io.knabla.controller.deploy;

import io.knabla.controller.catalog.Version;
import io.knabla.functions.spec.Durations;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.KeepWarm;
import io.knabla.functions.spec.FunctionSpec.Scaling;
import io.knabla.functions.spec.FunctionSpec.WarmPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Scaling settings that can change without a new version, because running replicas do not depend on them. Concurrency
 * is not one of them: a replica is started with it.
 */
record ScaleBounds(int min, int max, double targetUtilization, Duration idleAfter, KeepWarm keepWarm) {
    private static final ScaleBounds ANY =
            new ScaleBounds(0, 1, 1, Duration.ZERO, new KeepWarm(WarmPolicy.Never, Duration.ZERO, 0, List.of()));

    static ScaleBounds of(FunctionSpec spec) {
        Scaling scaling = spec.scaling();
        return new ScaleBounds(
                scaling.min(), scaling.max(), scaling.targetUtilization(), scaling.idleAfter(), spec.keepWarm());
    }

    /** Whether two specs are the same version: equal except for scaling bounds and traffic. */
    static boolean sameVersion(FunctionSpec one, FunctionSpec other) {
        return ANY.applyTo(one, List.of()).equals(ANY.applyTo(other, List.of()));
    }

    /** The same version with these bounds. */
    Version applyTo(Version version) {
        FunctionSpec spec = version.spec();
        return version.withSpec(applyTo(spec, spec.traffic()));
    }

    private FunctionSpec applyTo(FunctionSpec spec, List<FunctionSpec.TrafficTarget> traffic) {
        return spec.withScaling(new Scaling(min, max, spec.scaling().concurrency(), targetUtilization, idleAfter))
                .withKeepWarm(keepWarm)
                .withTraffic(traffic);
    }

    /** Describes the differences to the previous bounds, for people. */
    String describeChanges(ScaleBounds before) {
        List<String> changes = new ArrayList<>();
        note(changes, "scaling.min", min, before.min);
        note(changes, "scaling.max", max, before.max);
        note(changes, "scaling.targetUtilization", targetUtilization, before.targetUtilization);
        note(changes, "scaling.idleAfter", Durations.format(idleAfter), Durations.format(before.idleAfter));
        note(changes, "keepWarm.policy", keepWarm.policy(), before.keepWarm.policy());
        note(
                changes,
                "keepWarm.idleTimeout",
                Durations.format(keepWarm.idleTimeout()),
                Durations.format(before.keepWarm.idleTimeout()));
        note(changes, "keepWarm.coldStartCost", keepWarm.coldStartCost(), before.keepWarm.coldStartCost());
        if (!keepWarm.schedule().equals(before.keepWarm.schedule())) {
            changes.add("another keepWarm.schedule");
        }
        return String.join(", ", changes);
    }

    private static void note(List<String> changes, String key, Object now, Object before) {
        if (!now.equals(before)) {
            changes.add("%s %s (was %s)".formatted(key, now, before));
        }
    }
}
