package io.knabla.controller.knative.reconcile;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.knative.WakePool;
import io.knabla.controller.knative.manifest.ObservedObjects;
import io.knabla.controller.knative.manifest.PodSettings;
import io.knabla.controller.knative.manifest.PrefillPods;
import io.knabla.controller.knative.manifest.ReplicaSize;
import io.knabla.controller.knative.manifest.Rollout;
import io.knabla.controller.knative.manifest.SleepingRoute;
import io.knabla.controller.knative.manifest.WakeDecision;
import io.knabla.controller.platform.ReplicaEnvironment;
import io.knabla.functions.unit.UnitAssignment;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Sends the requests of a function without pods to the wake pool of its namespace, if that has one. */
record SleepApplier(WakePool pools, PodSettings settings) {
    Rollout apply(FunctionRecord record, Function<Version, ReplicaSize> sizes, ObservedObjects seen, Rollout planned) {
        Optional<WakePool.State> pool = pools.of(record.id());
        Optional<SleepingRoute> route = pool.flatMap(_ -> SleepingRoute.of(record, seen, planned));
        if (route.isEmpty()) {
            return planned;
        }
        ReplicaSize size = sizes.apply(route.get().version());
        WakeDecision decision = route.get().decide(pool.get(), size, seen);
        if (decision.place() != WakeDecision.Place.OWN) {
            pools.assign(record.id(), assignment(record, route.get().version(), size));
        }
        return route.get().apply(decision, seen, planned);
    }

    private UnitAssignment assignment(FunctionRecord record, Version version, ReplicaSize size) {
        Map<String, String> environment = new TreeMap<>(
                ReplicaEnvironment.of(record.id(), version, settings.store().location()));
        environment.putAll(PrefillPods.environment(record.id(), version.spec()));
        environment.put(
                UnitAssignment.IDLE_MILLIS,
                Long.toString(version.spec().idleAfter().toMillis()));
        environment.put(UnitAssignment.MEMORY_BYTES, Long.toString(size.memoryBytes()));
        return new UnitAssignment(environment);
    }
}
