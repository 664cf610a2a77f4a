package io.knabla.controller.knative;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import io.knabla.controller.knative.resource.FunctionObjectStatus.Replicas;
import io.knabla.controller.knative.resource.Reason;
import io.knabla.controller.platform.FunctionStatus;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reads the status of a function from its resource, and counts its ready and starting pods. */
@Singleton
@ForPlatform(ClusterKind.Knative)
final class KnativeStatus implements FunctionStatus {
    private static final Condition NOT_RECONCILED = new Condition(
            "Ready", "Unknown", Reason.Reconciling.name(), "the operator has not reconciled the current spec yet");

    /** Longest wait of the first caller: the cache is opened on first use. */
    private static final Duration FIRST_LIST = Duration.ofSeconds(5);

    private final KnativeView view;
    private final FunctionStatusCache states;

    @Inject
    KnativeStatus(@ForPlatform(ClusterKind.Knative) KnativeView view, KubernetesClient client, Settings settings) {
        this(
                view,
                FunctionStatusCache.open(client, settings.cluster().namespaces().orElse(List.of()))
                        .synced(FIRST_LIST));
    }

    KnativeStatus(KnativeView view, FunctionStatusCache states) {
        this.view = view;
        this.states = states;
    }

    @PreDestroy
    void close() {
        states.close();
    }

    @Override
    public Status of(FunctionRecord record) {
        List<State> pods = view.pods(record.id()).stream()
                .flatMap(pod -> PodReplica.of(pod).stream())
                .map(Replica::state)
                .toList();
        Optional<FunctionStatusCache.CachedStatus> state = states.open(record.id());
        Optional<FunctionObjectStatus> said = state.map(FunctionStatusCache.CachedStatus::status);
        Replicas replicas = said.map(FunctionObjectStatus::replicas).orElse(new Replicas(0, 0));
        return new Status(
                said.map(FunctionObjectStatus::readyVersion),
                said.map(FunctionObjectStatus::url),
                said.map(FunctionObjectStatus::tags).orElse(Map.of()),
                (int) pods.stream().filter(State.READY::equals).count(),
                (int) pods.stream().filter(State.STARTING::equals).count(),
                replicas.onDemand(),
                replicas.spot(),
                conditions(record, state));
    }

    /** Ignores conditions of an older version or generation: a newer one was just deployed. */
    private static List<Condition> conditions(FunctionRecord record, Optional<FunctionStatusCache.CachedStatus> state) {
        return state.filter(FunctionStatusCache.CachedStatus::current)
                .map(FunctionStatusCache.CachedStatus::status)
                .filter(said ->
                        Objects.equals(said.latestVersion(), record.latest().number()))
                .map(FunctionObjectStatus::conditions)
                .map(all -> all.stream().map(KnativeStatus::condition).toList())
                .orElse(List.of(NOT_RECONCILED));
    }

    private static Condition condition(io.fabric8.kubernetes.api.model.Condition said) {
        return new Condition(said.getType(), said.getStatus(), said.getReason(), said.getMessage());
    }
}
