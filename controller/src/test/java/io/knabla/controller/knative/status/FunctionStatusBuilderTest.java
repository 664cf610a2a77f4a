package io.knabla.controller.knative.status;

import static io.knabla.controller.knative.status.RecordedCasesTest.condition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.knative.pkg.apis.ConditionBuilder;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.manifest.PlacementPlan;
import io.knabla.controller.knative.manifest.PlacementPlan.Share;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import io.knabla.controller.knative.resource.FunctionObjectStatus.Replicas;
import io.knabla.controller.knative.rights.PrivilegedTask;
import io.knabla.controller.knative.status.Transitions.Transition;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests a Function's status: what it keeps from the last one, and how several versions affect it. */
class FunctionStatusBuilderTest {
    private static final Instant LATER = Recordings.NOW.plus(Duration.ofMinutes(5));
    private static final FunctionSnapshot NOTHING =
            new FunctionSnapshot(List.of(), List.of(), Optional.empty(), List.of(), List.of());
    private static final StorageException AWAY = new StorageException(
            StorageException.Kind.UNAVAILABLE,
            "cannot read 'catalog' in the store s3://models: nothing answers there (refused).",
            "Start the server.");

    @Test
    void computesWholeStatusOfFunctionOnSpot() {
        FunctionObjectStatus status = judge(sight("onspot"), null);

        assertThat(status.observedGeneration()).isEqualTo(3);
        assertThat(status.url()).isEqualTo("http://onspot.status-a.127.0.0.1.sslip.io");
        assertThat(status.latestVersion()).isEqualTo(1);
        assertThat(status.readyVersion()).isEqualTo(1);
        assertThat(status.pool()).isEqualTo("cpu");
        assertThat(status.replicas()).isEqualTo(new Replicas(0, 1));
        assertThat(status.unit()).isEqualTo(Recordings.UNIT.value());
        assertThat(status.analysis().get("flops").asInt()).isEqualTo(7);
        assertThat(condition(status, "Placed").getMessage()).isEqualTo("on status-spot-1");
    }

    @Test
    void copiesReadyToConditionThatNamesTheChange() {
        FunctionObjectStatus status = judge(sight("onspot"), null);

        FunctionObjectStatus named = FunctionStatusBuilder.withChange(status, "1f3a");

        assertThat(named.conditions())
                .extracting(Condition::getType)
                .containsExactly("Packaged", "Placed", "Ready", "Ready-1f3a");
        assertThat(condition(named, "Ready-1f3a"))
                .usingRecursiveComparison()
                .ignoringFields("type")
                .isEqualTo(condition(status, "Ready"));
        assertThat(FunctionStatusBuilder.withChange(status, "not a type")).isEqualTo(status);
    }

    @Test
    void keepsStatusForUnchangedInput() {
        FunctionObjectStatus first = judge(sight("oom"), null);

        FunctionObjectStatus second = FunctionStatusBuilder.status(sight("oom"), first, LATER);

        assertThat(second).isEqualTo(first);
        assertThat(Transitions.between(first, second)).isEmpty();
    }

    @Test
    void keepsTransitionTimeUntilStatusChanges() {
        FunctionObjectStatus asleep = judge(sight("good"), null);
        FunctionObjectStatus broken = FunctionStatusBuilder.status(sight("noimage"), asleep, LATER);

        assertThat(condition(broken, "Packaged").getLastTransitionTime()).isEqualTo(Recordings.NOW.toString());
        assertThat(condition(broken, "Ready").getLastTransitionTime()).isEqualTo(LATER.toString());
        assertThat(Transitions.between(asleep, broken))
                .extracting(Transition::type, Transition::reason)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("Normal", "Placed"),
                        org.assertj.core.groups.Tuple.tuple("Warning", "ImagePullBackOff"));
    }

    @Test
    void emitsOneEventForOneCauseOfTwoConditions() {
        assertThat(Transitions.between(null, judge(sight("nogpu"), null)))
                .extracting(Transition::reason)
                .containsExactly("Packaged", "Unschedulable");
    }

    @Test
    void reportsUnknownWhileRouteLagsBehindReadyRevision() {
        FunctionObjectStatus status = judge(routeSays("RevisionMissing"), null);

        assertThat(condition(status, "Ready").getStatus()).isEqualTo("Unknown");
        assertThat(Transitions.between(null, status))
                .extracting(Transition::type)
                .doesNotContain("Warning");
        assertThat(condition(judge(routeSays("DomainConflict"), null), "Ready").getStatus())
                .isEqualTo("False");
    }

    private static StatusInput routeSays(String reason) {
        FunctionSnapshot seen = Recordings.snapshot("onspot");
        seen.route()
                .orElseThrow()
                .getStatus()
                .setConditions(List.of(new ConditionBuilder()
                        .withType("Ready")
                        .withStatus("False")
                        .withReason(reason)
                        .withMessage("it failed to become ready.")
                        .build()));
        return Recordings.input(seen, 1);
    }

    @Test
    void emitsOneEventWhileOlderVersionAnswers() {
        StatusInput refused = Recordings.with(
                sight("good"), new PackagingState.Invalid(List.of(new Fault("spec.model", "is no model"))));

        assertThat(Transitions.between(null, judge(refused, judge(sight("good"), null))))
                .filteredOn(event -> event.type().equals("Warning"))
                .hasSize(1);
    }

    @Test
    void keepsCauseAfterKnativeGivesUp() {
        FunctionObjectStatus known = judge(sight("noimage"), null);

        FunctionObjectStatus gaveUp = FunctionStatusBuilder.status(sight("gaveup"), known, LATER);
        FunctionObjectStatus still = FunctionStatusBuilder.status(sight("gaveup"), gaveUp, LATER);

        assertThat(condition(gaveUp, "Ready")).isEqualTo(condition(known, "Ready"));
        assertThat(condition(still, "Ready")).isEqualTo(condition(known, "Ready"));
    }

    @Test
    void reportsLostNodeBeforeKubernetesDeletesPod() {
        FunctionSnapshot seen = Recordings.snapshot("onspot");
        List<Node> left = seen.nodes().stream()
                .filter(node -> !node.getMetadata().getName().equals("status-spot-1"))
                .toList();

        FunctionObjectStatus status = judge(
                Recordings.input(
                        new FunctionSnapshot(seen.configurations(), seen.revisions(), seen.route(), seen.pods(), left),
                        1),
                judge(sight("onspot"), null));

        assertThat(condition(status, "Placed").getReason()).isEqualTo("NodeGone");
        assertThat(condition(status, "Ready").getReason()).isEqualTo("NodeGone");
        assertThat(condition(status, "Ready").getMessage()).startsWith("version 1: node status-spot-1 is gone");
        assertThat(status.replicas()).isEqualTo(new Replicas(0, 0));
        assertThat(status.readyVersion()).isEqualTo(1);
    }

    @Test
    void reportsOldVersionStillAnsweringWhenNewOneFails() {
        FunctionObjectStatus status = judge(Recordings.input(Recordings.merged("onspot", "oom"), 2), null);

        assertThat(status.latestVersion()).isEqualTo(2);
        assertThat(status.readyVersion()).isEqualTo(1);
        assertThat(condition(status, "Ready").getReason()).isEqualTo("OOMKilled");
        assertThat(condition(status, "Ready").getMessage())
                .startsWith("version 2: a replica was killed")
                .endsWith("; version 1 goes on answering");
    }

    @Test
    void reportsDegradedWhenOneReplicaFails() {
        FunctionSnapshot one = Recordings.snapshot("onspot");
        FunctionSnapshot two = Recordings.snapshot("oom");
        var seen = new FunctionSnapshot(
                one.configurations(),
                Stream.concat(one.revisions().stream(), two.revisions().stream())
                        .toList(),
                one.route(),
                Stream.concat(one.pods().stream(), two.pods().stream()).toList(),
                one.nodes());
        FunctionObjectStatus well = judge(sight("onspot"), null);

        FunctionObjectStatus status = judge(Recordings.input(seen, 1), well);

        assertThat(condition(status, "Ready"))
                .extracting(Condition::getStatus, Condition::getReason)
                .containsExactly("True", "Degraded");
        assertThat(condition(status, "Ready").getMessage())
                .startsWith("version 1 answers requests; but not every replica does: version 1: a replica was killed");
        assertThat(Transitions.between(well, status))
                .extracting(Transition::type, Transition::reason)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("Warning", "Degraded"));
    }

    /** Between two crashes the container runs and counts as ready: queue-proxy runs its probe. */
    @Test
    void reportsCrashLoopWhileContainerRestarts() {
        FunctionSnapshot seen = Recordings.snapshot("oom");
        seen.pods().getFirst().getStatus().getContainerStatuses().forEach(container -> {
            container.setReady(true);
            container.setState(
                    new ContainerStateBuilder().withNewRunning().endRunning().build());
        });

        assertThat(condition(judge(Recordings.input(seen, 1), null), "Ready").getReason())
                .isEqualTo("OOMKilled");
    }

    @Test
    void countsTerminatingReplicaAsPlaced() {
        FunctionSnapshot seen = Recordings.snapshot("onspot");
        seen.pods().getFirst().getMetadata().setDeletionTimestamp(Recordings.NOW.toString());

        FunctionObjectStatus status = judge(Recordings.input(seen, 1), null);

        assertThat(condition(status, "Placed").getReason()).isEqualTo("Placed");
        assertThat(status.replicas()).isEqualTo(new Replicas(0, 0));
    }

    @Test
    void ignoresVersionsWithoutTraffic() {
        StatusInput back = Recordings.input(
                Recordings.merged("onspot", "oom"), 2, new TrafficTarget(1, 100), new TrafficTarget(2, 0));

        FunctionObjectStatus status = judge(back, null);

        assertThat(condition(status, "Ready").getStatus()).isEqualTo("True");
        assertThat(status.latestVersion()).isEqualTo(2);
    }

    @Test
    void isNotReadyUntilTrafficMoves() {
        FunctionObjectStatus status = judge(Recordings.input(Recordings.merged("onspot", "good"), 2), null);

        assertThat(condition(status, "Ready"))
                .extracting(Condition::getStatus, Condition::getReason, Condition::getMessage)
                .containsExactly(
                        "Unknown",
                        "TrafficMoving",
                        "requests are about to go to version 2; version 1 goes on answering");
    }

    @Test
    void reportsInvalidResourceWhileOldVersionAnswers() {
        PackagingState invalid =
                new PackagingState.Invalid(List.of(new Fault("spec.scaling.min", "is 3, but max is 2")));

        FunctionObjectStatus status = judge(Recordings.with(sight("onspot"), invalid), null);

        assertThat(condition(status, "Packaged").getMessage()).isEqualTo("spec.scaling.min: is 3, but max is 2");
        assertThat(condition(status, "Ready"))
                .extracting(Condition::getStatus, Condition::getReason)
                .containsExactly("False", "Invalid");
        assertThat(condition(status, "Ready").getMessage()).endsWith("version 1 goes on answering");
    }

    @Test
    void staysReadyWhileStoreIsUnavailable() {
        FunctionObjectStatus before = judge(sight("onspot"), null);

        FunctionObjectStatus status =
                judge(Recordings.withoutStore(sight("onspot"), new PackagingState.Failed(AWAY)), before);

        assertThat(condition(status, "Packaged"))
                .extracting(Condition::getStatus, Condition::getReason)
                .containsExactly("False", "StoreUnavailable");
        assertThat(condition(status, "Ready").getStatus()).isEqualTo("True");
        assertThat(status.latestVersion()).isEqualTo(1);
        assertThat(status.unit()).isEqualTo(before.unit());
        assertThat(status.analysis()).isEqualTo(before.analysis());
    }

    @Test
    void dropsDeletedAnalysis() {
        FunctionObjectStatus before = judge(sight("onspot"), null);
        StatusInput there = sight("onspot");
        var without = new StatusInput(
                there.generation(),
                there.packaging(),
                there.record(),
                there.plan(),
                there.blockers(),
                there.snapshot(),
                Optional.empty());

        assertThat(judge(without, before).analysis()).isNull();
    }

    /** The pool of the expected revisions; before there are any, the planned pool. */
    @Test
    void derivesPoolFromRevisionsOrPlan() {
        FunctionObjectStatus before = judge(sight("onspot"), null);
        StatusInput bare = Recordings.input(NOTHING, 1);
        var share = new Share(new CapacitySlot(Pool.gpu, CapacityType.OnDemand), 100, 0, 1);
        var planned = new StatusInput(
                bare.generation(),
                bare.packaging(),
                bare.record(),
                Optional.of(new PlacementPlan(List.of(share), "for a test")),
                bare.blockers(),
                bare.snapshot(),
                bare.analysis());

        assertThat(judge(planned, before).pool()).isEqualTo("gpu");
        assertThat(judge(bare, before).pool()).isEqualTo("cpu");
        assertThat(judge(bare, null).pool()).isNull();
    }

    @Test
    void keepsStatusExceptPlacedWhileClusterIsUnknown() {
        FunctionObjectStatus before = judge(sight("onspot"), null);

        FunctionObjectStatus status = FunctionStatusBuilder.withoutCluster("pods are not seen", 4, before, LATER);

        assertThat(condition(status, "Placed"))
                .extracting(
                        Condition::getStatus,
                        Condition::getReason,
                        Condition::getMessage,
                        Condition::getObservedGeneration)
                .containsExactly("Unknown", "ClusterUnknown", "pods are not seen", 4L);
        assertThat(condition(status, "Ready")).isEqualTo(condition(before, "Ready"));
        assertThat(status.url()).isEqualTo(before.url());
        assertThat(FunctionStatusBuilder.withoutCluster("pods are not seen", 4, null, LATER)
                        .conditions())
                .extracting(Condition::getType)
                .containsExactly("Placed");
    }

    @Test
    void reportsWaitingBeforeFirstVersion() {
        StatusInput waiting =
                Recordings.withoutStore(Recordings.input(NOTHING, 1), new PackagingState.Waiting("the model is read"));

        FunctionObjectStatus status = judge(waiting, null);

        assertThat(status.conditions())
                .extracting(Condition::getType, Condition::getStatus, Condition::getReason)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("Packaged", "Unknown", "Packaging"),
                        org.assertj.core.groups.Tuple.tuple("Placed", "Unknown", "NotPackaged"),
                        org.assertj.core.groups.Tuple.tuple("Ready", "Unknown", "Packaging"));
        assertThat(status.url()).isNull();
        assertThat(status.latestVersion()).isNull();
    }

    private static StatusInput sight(String recorded) {
        return Recordings.input(Recordings.snapshot(recorded), 1);
    }

    private static FunctionObjectStatus judge(StatusInput sight, FunctionObjectStatus before) {
        return FunctionStatusBuilder.status(sight, before, Recordings.NOW);
    }

    @Test
    void refusedCallsAreAConditionThatStaysOnceItWasSaid() {
        FunctionObjectStatus plain = FunctionObjectStatus.of(new io.fabric8.kubernetes.api.model.ConditionBuilder()
                .withType("Ready")
                .withStatus("True")
                .build());
        assertThat(FunctionStatusBuilder.withTask(
                        plain, PrivilegedTask.MOVE, Optional.empty(), 1, plain, Recordings.NOW))
                .isEqualTo(plain);

        FunctionObjectStatus refused = FunctionStatusBuilder.withTask(
                plain, PrivilegedTask.MOVE, Optional.of("may not patch nodes"), 1, plain, Recordings.NOW);
        assertThat(refused.conditions())
                .extracting(Condition::getType, Condition::getStatus, Condition::getReason)
                .contains(tuple("InterruptionsHandled", "False", "CallRefused"));

        FunctionObjectStatus granted = FunctionStatusBuilder.withTask(
                plain, PrivilegedTask.MOVE, Optional.empty(), 1, refused, Recordings.NOW);
        assertThat(granted.conditions())
                .extracting(Condition::getType, Condition::getStatus, Condition::getReason)
                .contains(tuple("InterruptionsHandled", "True", "CallAllowed"));
    }
}
