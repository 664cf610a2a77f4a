package io.knabla.controller.knative.status;

import io.fabric8.knative.pkg.apis.Condition;
import io.fabric8.knative.serving.v1.Route;
import io.knabla.controller.knative.resource.Reason;
import io.knabla.controller.knative.status.ConditionResult.Truth;
import io.knabla.controller.knative.status.Trouble.Stage;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Computes the condition {@code Ready}: whether the versions with traffic answer requests. */
final class ReadyCondition {
    /** Reason of a Route with revisions that failed, are missing, or were not ready at its last check. */
    private static final String BEHIND = "RevisionMissing";

    private final VersionStates states;
    private final ConditionResult packaged;

    private ReadyCondition(VersionStates states, ConditionResult packaged) {
        this.states = states;
        this.packaged = packaged;
    }

    static ConditionResult evaluate(VersionStates states, ConditionResult packaged) {
        return new ReadyCondition(states, packaged).evaluate();
    }

    private ConditionResult evaluate() {
        return unpackaged().or(this::broken).or(this::route).orElseGet(this::answers);
    }

    /** Running replicas do not match the resource; ignored if only the store fails, because the spec is unchanged. */
    private Optional<ConditionResult> unpackaged() {
        boolean away = states.input().packaging() instanceof PackagingState.Failed
                && states.newest().isPresent();
        return packaged.truth() == Truth.True || away
                ? Optional.empty()
                : Optional.of(withAnsweringVersions(
                        new ConditionResult(packaged.truth(), packaged.reason(), packaged.message())));
    }

    private Optional<ConditionResult> broken() {
        return states.expectedVersions().stream()
                .filter(version -> !states.canServe(version))
                .findFirst()
                .map(this::why)
                .map(this::withAnsweringVersions);
    }

    private ConditionResult why(int version) {
        return states.troubles(version).stream()
                .findFirst()
                .map(trouble -> trouble.verdict(version))
                .or(() -> PlacedCondition.blocked(states.input().blockers()))
                .orElseGet(() -> ConditionResult.unknown(
                        Reason.Starting, ConditionResult.prefix(version) + "it is started for the first time"));
    }

    private ConditionResult withAnsweringVersions(ConditionResult verdict) {
        List<Integer> working =
                states.routed().stream().filter(states::canServe).toList();
        return verdict.withAnswering(working);
    }

    private Optional<ConditionResult> route() {
        if (states.snapshot().route().isEmpty()) {
            return Optional.of(ConditionResult.unknown(Reason.Starting, "the Route is not made yet"));
        }
        Route route = states.snapshot().route().get();
        Optional<Condition> ready = ready(route);
        if (ready.filter(condition -> "True".equals(condition.getStatus())).isEmpty() || !current(route)) {
            return Optional.of(unready(route, ready));
        }
        return states.routed().containsAll(states.expectedVersions())
                ? Optional.empty()
                : Optional.of(withAnsweringVersions(ConditionResult.unknown(
                        Reason.TrafficMoving,
                        "requests are about to go to " + ConditionResult.versions(states.expectedVersions()))));
    }

    private static Optional<Condition> ready(Route route) {
        return Stream.ofNullable(route.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getConditions()))
                .flatMap(List::stream)
                .filter(condition -> "Ready".equals(condition.getType()))
                .findFirst();
    }

    private static boolean current(Route route) {
        return Objects.equals(
                route.getStatus().getObservedGeneration(), route.getMetadata().getGeneration());
    }

    private static ConditionResult unready(Route route, Optional<Condition> ready) {
        boolean failed = ready.filter(condition -> "False".equals(condition.getStatus()))
                // The revisions exist and work: the Route has not observed them yet.
                .filter(condition -> !BEHIND.equals(condition.getReason()))
                .isPresent();
        String said = ready.map(Condition::getMessage)
                .filter(Objects::nonNull)
                .orElse("Knative's ingress is still being told");
        return new ConditionResult(
                failed ? Truth.False : Truth.Unknown,
                Reason.RouteNotReady.name(),
                "Route %s: %s".formatted(route.getMetadata().getName(), said));
    }

    private ConditionResult answers() {
        if (states.newest().isEmpty()) {
            return ConditionResult.unknown(Reason.Starting, "there is no version yet");
        }
        List<Integer> wanted = states.expectedVersions();
        String answer = ConditionResult.versions(wanted) + (wanted.size() == 1 ? " answers" : " answer") + " requests";
        return degradedReplica()
                .map(trouble ->
                        ConditionResult.yes(Reason.Degraded, answer).and("but not every replica does: " + trouble))
                .orElseGet(() -> ConditionResult.yes(Reason.Ready, answer));
    }

    /** First problem of a running replica; others answer meanwhile. {@code Placed} reports replicas without a node. */
    private Optional<String> degradedReplica() {
        return states.expectedVersions().stream()
                .flatMap(version -> states.troubles(version).stream()
                        .filter(trouble -> trouble.stage() == Stage.RUNNING)
                        .map(trouble -> trouble.verdict(version).message()))
                .findFirst();
    }
}
