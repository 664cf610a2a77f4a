package io.knabla.controller.knative.manifest;

import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.fabric8.knative.serving.v1.TrafficTarget;
import io.fabric8.knative.serving.v1.TrafficTargetBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.knative.WakePool;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Moves the requests of a function without pods to the wake pool of its namespace. The Route keeps the function's
 * revision under a tag, without requests: Knative scales a revision that no Route names to zero, whatever its minimum.
 *
 * @param version the only one with requests
 * @param revision of the version
 * @param template the Route of which only the traffic changes
 */
public record SleepingRoute(Version version, String revision, Route template) {
    private static final String MIN_SCALE = ScaleAnnotations.PREFIX + "min-scale";

    /** Tag of the function's own revision; a part of a host name of its own. */
    public static final String TAG = "own";

    /** Empty while requests are split, or nothing is ready. */
    public static Optional<SleepingRoute> of(FunctionRecord record, ObservedObjects seen, Rollout planned) {
        Optional<Route> wanted = planned.apply().stream()
                .filter(Route.class::isInstance)
                .map(Route.class::cast)
                .findFirst()
                .or(seen::route);
        if (wanted.isEmpty() || seen.route().isEmpty() || planned.replacing()) {
            return Optional.empty();
        }
        List<TrafficTarget> traffic = wanted.get().getSpec().getTraffic();
        if (traffic.size() != 1 || traffic.getFirst().getRevisionName() == null) {
            return Optional.empty();
        }
        String revision = traffic.getFirst().getRevisionName();
        return seen.states().stream()
                .filter(state -> state.name().equals(revision) && state.ready())
                .flatMap(state -> record.version(state.version()).stream())
                // A newer version that starts must not be kept waiting by the Route of an older one.
                .filter(record.latest()::equals)
                .map(version -> new SleepingRoute(version, revision, wanted.get()))
                .findFirst();
    }

    /** @param size of the function's replicas */
    public WakeDecision decide(WakePool.State pool, ReplicaSize size, ObservedObjects seen) {
        return WakeDecision.decide(new WakeDecision.Facts(
                unfit(pool, size, seen), pool.ready(), pool.calledOften(), sleeps(seen), replicas(seen), minimum()));
    }

    private Optional<String> unfit(WakePool.State pool, ReplicaSize size, ObservedObjects seen) {
        if (!version.spec().mayShareAPool()) {
            return Optional.of("a %s has a state, which one process alone writes"
                    .formatted(version.spec().type()));
        }
        if (version.spec().modelInterface().grpc()) {
            return Optional.of("its port speaks gRPC, that of the pool does not");
        }
        if (version.spec().chosenPool() == Pool.gpu || size.gpu() > 0) {
            return Optional.of("it needs a GPU");
        }
        if (size.memoryBytes() > pool.memberBytes()) {
            return Optional.of("it needs more memory than the pool gives one function");
        }
        if (version.spec().timeout().compareTo(PoolObjects.LONGEST_TIMEOUT) > 0) {
            return Optional.of("its timeout is longer than the %d s of the pool"
                    .formatted(PoolObjects.LONGEST_TIMEOUT.toSeconds()));
        }
        String host =
                template.getMetadata().getName() + "." + template.getMetadata().getNamespace() + ".";
        return seen.route()
                .map(Route::getStatus)
                .map(status -> String.valueOf(status.getUrl()))
                .filter(url -> !url.matches("https?://.*")
                        || !url.replaceFirst("https?://", "").startsWith(host))
                .map(_ -> "the cluster's domain-template does not begin with name and namespace");
    }

    private int minimum() {
        return version.spec().scaling().min();
    }

    private int replicas(ObservedObjects seen) {
        return seen.revisions().stream()
                .filter(it -> it.getMetadata().getName().equals(revision))
                .map(Revision::getStatus)
                .filter(Objects::nonNull)
                .map(status -> status.getActualReplicas())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(0);
    }

    private boolean sleeps(ObservedObjects seen) {
        return seen.route().filter(route -> isPooled(route, revision)).isPresent();
    }

    private static boolean isPooled(Route route, String revision) {
        List<TrafficTarget> traffic = route.getSpec().getTraffic();
        return traffic.stream().anyMatch(it -> PoolObjects.NAME.equals(it.getConfigurationName()))
                && traffic.stream().anyMatch(it -> revision.equals(it.getRevisionName()));
    }

    /** The rollout with requests, and the minimum of pods, where the decision wants them. */
    public Rollout apply(WakeDecision decision, ObservedObjects seen, Rollout planned) {
        if (decision.place() == WakeDecision.Place.OWN) {
            return planned;
        }
        List<HasMetadata> apply = new ArrayList<>(planned.apply());
        apply.removeIf(Route.class::isInstance);
        if (!sleeps(seen)) {
            apply.add(toPool());
        }
        Map<String, Map<String, String>> bounds = decision.place() == WakeDecision.Place.POOL_WHILE_STARTING
                ? raised(seen, planned.bounds())
                : planned.bounds();
        return new Rollout(
                apply,
                bounds,
                planned.deleteRevisions(),
                planned.deleteConfigurations(),
                planned.plan(),
                planned.blockers(),
                planned.readyVersion(),
                planned.replacing(),
                planned.reason() + "; the wake pool answers, because " + decision.reason());
    }

    private Map<String, Map<String, String>> raised(ObservedObjects seen, Map<String, Map<String, String>> planned) {
        Map<String, Map<String, String>> bounds = new HashMap<>(planned);
        Map<String, String> own = new TreeMap<>(bounds.getOrDefault(revision, Map.of()));
        String there = seen.states().stream()
                .filter(state -> state.name().equals(revision))
                .map(state -> state.annotations().getOrDefault(MIN_SCALE, "0"))
                .findFirst()
                .orElse("0");
        if (there.equals("0")) {
            own.put(MIN_SCALE, "1");
        } else {
            own.remove(MIN_SCALE);
        }
        bounds.put(revision, own);
        bounds.values().removeIf(Map::isEmpty);
        return bounds;
    }

    private Route toPool() {
        var metadata = template.getMetadata();
        return new RouteBuilder()
                .withNewMetadata()
                .withName(metadata.getName())
                .withNamespace(metadata.getNamespace())
                .withLabels(metadata.getLabels())
                .withOwnerReferences(metadata.getOwnerReferences())
                .endMetadata()
                .withNewSpec()
                .withTraffic(
                        new TrafficTargetBuilder()
                                .withConfigurationName(PoolObjects.NAME)
                                .withLatestRevision(true)
                                .withPercent(100L)
                                .build(),
                        new TrafficTargetBuilder()
                                .withRevisionName(revision)
                                .withLatestRevision(false)
                                .withPercent(0L)
                                .withTag(TAG)
                                .build())
                .endSpec()
                .build();
    }
}
