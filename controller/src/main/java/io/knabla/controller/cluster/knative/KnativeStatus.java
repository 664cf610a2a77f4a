package io.knabla.controller.cluster.knative;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.On;
import io.knabla.controller.Settings;
import io.knabla.controller.Settings.ClusterKind;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.cluster.Replica;
import io.knabla.controller.cluster.Replica.State;
import io.knabla.controller.cluster.knative.resource.FunctionObjectStatus;
import io.knabla.controller.cluster.knative.resource.FunctionObjectStatus.Replicas;
import io.knabla.controller.deploy.FunctionStatus;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads the status of a function from its resource, and counts its ready and starting pods. */
@Singleton
@On(ClusterKind.Knative)
final class KnativeStatus implements FunctionStatus {
    private static final Condition UNSEEN = new Condition(
            "Ready", "Unknown", "Reconciling", "the operator has not reconciled the current spec yet");

    /** Longest wait of the first caller: the cache is opened on first use. */
    private static final Duration FIRST_LIST = Duration.ofSeconds(5);

    private final KnativeView view;
    private final FunctionStates states;

    @Inject
    KnativeStatus(@On(ClusterKind.Knative) KnativeView view, KubernetesClient client, Settings settings) {
        this(
                view,
                FunctionStates.open(client, settings.cluster().namespaces().orElse(List.of()))
                        .heard(FIRST_LIST));
    }

    KnativeStatus(KnativeView view, FunctionStates states) {
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
        Optional<FunctionStates.State> state = states.of(record.id());
        Optional<FunctionObjectStatus> said = state.map(FunctionStates.State::status);
        Replicas replicas = said.map(FunctionObjectStatus::replicas).orElse(new Replicas(0, 0));
        return new Status(
                said.map(FunctionObjectStatus::readyVersion),
                said.map(FunctionObjectStatus::url),
                (int) pods.stream().filter(State.READY::equals).count(),
                (int) pods.stream().filter(State.STARTING::equals).count(),
                replicas.onDemand(),
                replicas.spot(),
                conditions(record, state));
    }

    /** Ignores conditions of an older version or generation: a newer one was just deployed. */
    private static List<Condition> conditions(FunctionRecord record, Optional<FunctionStates.State> state) {
        return state.filter(FunctionStates.State::current)
                .map(FunctionStates.State::status)
                .filter(said ->
                        Objects.equals(said.latestVersion(), record.latest().number()))
                .map(FunctionObjectStatus::conditions)
                .map(all -> all.stream().map(KnativeStatus::condition).toList())
                .orElse(List.of(UNSEEN));
    }

    private static Condition condition(io.fabric8.kubernetes.api.model.Condition said) {
        return new Condition(said.getType(), said.getStatus(), said.getReason(), said.getMessage());
    }
}
