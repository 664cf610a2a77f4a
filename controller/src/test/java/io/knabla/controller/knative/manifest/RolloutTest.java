package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.knabla.controller.knative.resource.Reason;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the objects and traffic of each rollout step after a user's action. */
class RolloutTest {
    private static final Specs PLAIN = Specs.inference();
    private static final Specs MIXED = PLAIN.placement(Pool.cpu, Capacity.Mixed, 1);

    @Test
    void createsRouteBeforeFirstVersionIsReady() {
        Rollout first = new SimulatedFunction().deploy(PLAIN).step();

        assertThat(first.apply())
                .hasExactlyElementsOfTypes(Secret.class, Configuration.class, Route.class)
                .allMatch(o -> o.getMetadata().getOwnerReferences().equals(List.of(SimulatedFunction.OWNER)))
                .allMatch(o ->
                        o.getMetadata().getLabels().get("knabla.dev/function").equals("digits"));
        assertThat(first.apply())
                .extracting(o -> o.getMetadata().getName())
                .containsExactly("digits-knabla", "digits-cpu-on-demand", "digits");
        assertThat(first.readyVersion()).isEmpty();
        assertThat(first.reason()).isEqualTo("no version that is to have traffic is ready yet");
        assertThat(first.blockers()).isEmpty();
    }

    /** Others keep the names of their revisions, which a further annotation would change. */
    @Test
    void whatStreamsItsAnswersIsReadOnByKnativesProxiesMeanwhile() {
        assertThat(annotations(PLAIN.type(FunctionType.Generation)))
                .containsEntry("features.knative.dev/http-full-duplex", "Enabled");
        assertThat(annotations(PLAIN)).doesNotContainKey("features.knative.dev/http-full-duplex");
    }

    private static Map<String, String> annotations(Specs specs) {
        return new SimulatedFunction()
                .deploy(specs).step().apply().stream()
                        .filter(Configuration.class::isInstance)
                        .map(it -> ((Configuration) it)
                                .getSpec()
                                .getTemplate()
                                .getMetadata()
                                .getAnnotations())
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void appliesOnlySecretAfterConvergence() {
        SimulatedFunction world = new SimulatedFunction().deploy(PLAIN).settle();

        Rollout rest = world.next();

        assertThat(rest.isConverged()).isTrue();
        assertThat(rest.apply()).hasOnlyElementsOfType(Secret.class);
        assertThat(rest.readyVersion()).hasValue(1);
        assertThat(world.servedVersions()).isEqualTo(Map.of(1, 100));
    }

    @Test
    void movesTrafficOnlyToReadyVersion() {
        SimulatedFunction world = new SimulatedFunction().deploy(PLAIN).settle().deploy(PLAIN);

        world.step();
        world.step();
        assertThat(world.servedVersions()).isEqualTo(Map.of(1, 100));

        world.settle();
        assertThat(world.servedVersions()).isEqualTo(Map.of(2, 100));
        assertThat(world.knative.revisions()).hasSize(2);
    }

    @Test
    void reusesRevisionOnRollback() {
        SimulatedFunction world =
                new SimulatedFunction().deploy(PLAIN).settle().deploy(PLAIN).settle();

        Rollout back = world.traffic(new TrafficTarget(1, 100)).step();

        assertThat(back.apply()).noneMatch(Configuration.class::isInstance);
        assertThat(world.settle().servedVersions()).isEqualTo(Map.of(1, 100));
    }

    @Test
    void keepsRevisionsOfNewestAndUsedVersions() {
        SimulatedFunction world = new SimulatedFunction().deploy(PLAIN).settle();
        for (int version = 2; version <= 9; version++) {
            world.deploy(PLAIN).traffic(new TrafficTarget(2, 50), new TrafficTarget(version, 50));
            world.settle();
        }

        assertThat(world.knative.revisions().keySet())
                .extracting(SimulatedFunction::version)
                .containsExactlyInAnyOrder(2, 5, 6, 7, 8, 9);
        assertThat(world.traffic(new TrafficTarget(1, 100)).settle().servedVersions())
                .as("one that was deleted is made again")
                .isEqualTo(Map.of(1, 100));
        assertThat(world.knative.revisions()).hasSize(ObsoleteObjects.VERSIONS_KEPT + 1);
    }

    @Test
    void delaysSplitUntilOtherVersionIsReady() {
        SimulatedFunction world = new SimulatedFunction().deploy(PLAIN).settle().deploy(PLAIN);
        world.traffic(new TrafficTarget(1, 80), new TrafficTarget(2, 20)).step();

        assertThat(world.next().reason()).startsWith("waiting for digits-cpu-on-demand-v2-");
        assertThat(world.servedVersions()).isEqualTo(Map.of(1, 100));
        assertThat(world.settle().servedVersions()).isEqualTo(Map.of(1, 80, 2, 20));
    }

    @Test
    void aTaggedVersionIsKeptAndGetsAUrlButNoShare() {
        SimulatedFunction world = new SimulatedFunction().deploy(PLAIN).settle().deploy(PLAIN);
        TrafficTarget canary = TrafficTarget.latest(0).tagged("canary");
        world.traffic(new TrafficTarget(1, 100), canary).step();

        assertThat(world.settle().servedVersions()).isEqualTo(Map.of(1, 100));
        assertThat(SimulatedFunction.version(world.knative.tags().get("canary")))
                .isEqualTo(2);

        world.deploy(PLAIN).traffic(new TrafficTarget(1, 100), new TrafficTarget(2, 0).tagged("old"), canary);
        world.settle();

        assertThat(world.knative.tags().keySet()).containsExactlyInAnyOrder("old", "canary");
        assertThat(SimulatedFunction.version(world.knative.tags().get("canary")))
                .isEqualTo(3);
        assertThat(world.next().isConverged()).isTrue();
        assertThat(world.traffic().settle().knative.tags()).isEmpty();
    }

    @Test
    void createsNoRevisionForVersionWithoutTraffic() {
        SimulatedFunction world = new SimulatedFunction().deploy(PLAIN).deploy(PLAIN);
        world.traffic(new TrafficTarget(1, 0), new TrafficTarget(2, 100)).settle();

        assertThat(world.knative.revisions().keySet())
                .extracting(SimulatedFunction::version)
                .containsExactly(2);
    }

    @Test
    void writesScaleBoundsOnlyOnLiveRevision() {
        SimulatedFunction world = new SimulatedFunction().deploy(PLAIN).settle();
        String revision = world.onlyRevision(1);

        Rollout rescaled =
                world.rescale(PLAIN.scaling(2, 7, 4, Duration.ofSeconds(60))).step();

        assertThat(rescaled.bounds())
                .isEqualTo(Map.of(
                        revision,
                        Map.of(
                                "autoscaling.knative.dev/min-scale", "2",
                                "autoscaling.knative.dev/max-scale", "7")));
        assertThat(rescaled.apply()).hasOnlyElementsOfType(Secret.class);
        assertThat(world.next().isConverged()).isTrue();
        assertThat(world.onlyRevision(1)).isEqualTo(revision);
    }

    @Test
    void replacesRevisionsOneByOneForNewImage() {
        SimulatedFunction world =
                new SimulatedFunction().deploy(PLAIN).settle().deploy(PLAIN).settle();
        world.traffic(new TrafficTarget(1, 50), new TrafficTarget(2, 50)).settle();
        List<String> before = List.copyOf(world.knative.revisions().keySet());

        world.image("replica:2").step();
        assertThat(world.knative.revisions().keySet())
                .hasSize(3)
                .filteredOn(name -> !before.contains(name))
                .singleElement()
                .satisfies(name -> assertThat(SimulatedFunction.version(name)).isEqualTo(1));
        assertThat(world.servedVersions()).isEqualTo(Map.of(1, 50, 2, 50));

        world.settle();
        assertThat(world.servedVersions()).isEqualTo(Map.of(1, 50, 2, 50));
        assertThat(world.knative.revisions().keySet()).hasSize(2).doesNotContainAnyElementsOf(before);
    }

    @Test
    void delaysReplacementUntilAllowed() {
        SimulatedFunction world = new SimulatedFunction().deploy(PLAIN).settle();
        String before = world.onlyRevision(1);

        Rollout held = world.image("replica:2").mayReplace(false).step();
        assertThat(held.replacing()).isTrue();
        assertThat(held.isConverged()).isTrue();
        assertThat(world.onlyRevision(1)).isEqualTo(before);
        assertThat(world.servedVersions()).isEqualTo(Map.of(1, 100));

        assertThat(world.deploy(PLAIN).settle().servedVersions())
                .as("a new version replaces no revision of its own")
                .isEqualTo(Map.of(2, 100));

        world.traffic(new TrafficTarget(1, 100)).settle();
        assertThat(world.onlyRevision(1)).isEqualTo(before);
        world.mayReplace(true).settle();
        assertThat(world.onlyRevision(1)).isNotEqualTo(before);
        assertThat(world.next().replacing()).isFalse();
        assertThat(world.servedVersions()).isEqualTo(Map.of(1, 100));
    }

    @Test
    void endsReplacementThatKnativeGaveUp() {
        SimulatedFunction world = new SimulatedFunction().deploy(PLAIN).settle();
        String before = world.onlyRevision(1);
        world.image("replica:broken").step();
        assertThat(world.next().replacing()).isTrue();

        world.knative.revisions().keySet().stream()
                .filter(name -> !name.equals(before))
                .toList()
                .forEach(name -> world.knative.setReady(name, "False", "ProgressDeadlineExceeded"));
        assertThat(world.next().replacing()).isFalse();
        assertThat(world.servedVersions()).isEqualTo(Map.of(1, 100));
    }

    @Test
    void movesShareToSpotOnceAvailable() {
        SimulatedFunction world = new SimulatedFunction().deploy(MIXED).settle();
        assertThat(world.servedSlots()).isEqualTo(Map.of("cpu-on-demand", 100));
        assertThat(bound(world, "cpu-on-demand", "max-scale")).isEqualTo("10");

        world.supply("cpu-on-demand,cpu-spot").settle();
        assertThat(world.servedSlots()).isEqualTo(Map.of("cpu-on-demand", 10, "cpu-spot", 90));
        assertThat(bound(world, "cpu-on-demand", "max-scale")).isEqualTo("1");
        assertThat(bound(world, "cpu-on-demand", "min-scale")).isEqualTo("1");
        assertThat(bound(world, "cpu-spot", "max-scale")).isEqualTo("9");
    }

    @Test
    void sendsNoRequestsToSimulatedSlotEvenIfReadyFirst() {
        SimulatedFunction world = new SimulatedFunction()
                .supply("cpu-on-demand,cpu-spot", "cpu-spot")
                .deploy(MIXED);
        world.step();
        world.knative.setReady(revision(world, "cpu-spot"), "True", "");

        world.step();
        world.knative.route();
        assertThat(world.servedSlots()).isEmpty();
        assertThat(world.settle().servedSlots()).isEqualTo(Map.of("cpu-on-demand", 100));
    }

    @Test
    void sendsAllToOnDemandWhileSpotHasNoPod() {
        SimulatedFunction world = new SimulatedFunction()
                .supply("cpu-on-demand,cpu-spot")
                .deploy(MIXED)
                .settle();
        String spot = revision(world, "cpu-spot");

        world.knative.setReady(spot, "False", "Unschedulable");
        world.step();
        world.knative.route();
        world.step();

        assertThat(world.servedSlots()).isEqualTo(Map.of("cpu-on-demand", 100));
        assertThat(bound(world, "cpu-on-demand", "max-scale")).isEqualTo("10");
        assertThat(world.settle().servedSlots()).isEqualTo(Map.of("cpu-on-demand", 10, "cpu-spot", 90));
    }

    @Test
    void keepsConfigurationOfSlotWithoutNodes() {
        SimulatedFunction world = new SimulatedFunction()
                .supply("cpu-on-demand,cpu-spot")
                .deploy(MIXED)
                .settle();

        world.supply("cpu-on-demand").settle();

        assertThat(world.servedSlots()).isEqualTo(Map.of("cpu-on-demand", 100));
        assertThat(world.knative.configuration("digits-cpu-spot")).isPresent();
    }

    @Test
    void deletesConfigurationOfSlotThatNoVersionCanUse() {
        SimulatedFunction world = new SimulatedFunction()
                .deploy(PLAIN.placement(Pool.cpu, Capacity.Spot, 0))
                .settle();
        world.deploy(PLAIN.placement(Pool.cpu, Capacity.OnDemand, 0)).settle();
        assertThat(world.knative.configuration("digits-cpu-spot")).isPresent();

        world.forget(0).settle();

        assertThat(world.knative.configuration("digits-cpu-spot")).isEmpty();
        assertThat(world.knative.revisions()).hasSize(1);
    }

    /** knative/serving#12538: a preempted node moved requests back to the previous version. */
    @Test
    void keepsTrafficWhenAllPodsAreLost() {
        SimulatedFunction world =
                new SimulatedFunction().deploy(PLAIN).settle().deploy(PLAIN).settle();

        world.knative.setReady(world.onlyRevision(2), "False", "Unschedulable");
        Rollout lost = world.step();
        world.knative.route();

        assertThat(lost.readyVersion()).hasValue(1);
        assertThat(lost.apply()).noneMatch(Route.class::isInstance);
        assertThat(world.servedVersions()).isEqualTo(Map.of(2, 100));
    }

    @Test
    void recreatesRevisionThatKnativeGaveUp() {
        SimulatedFunction world = new SimulatedFunction().deploy(PLAIN);
        world.step();
        String revision = world.onlyRevision(1);
        world.knative.setReady(revision, "False", "ProgressDeadlineExceeded");

        assertThat(world.next().deleteRevisions()).containsExactly(revision);

        world.step();
        assertThat(world.knative.revisions().get(revision).getStatus()).isNull();
        assertThat(world.settle().servedVersions()).isEqualTo(Map.of(1, 100));
    }

    @Test
    void deletesRevisionOfRemovedVersionWithoutTraffic() {
        SimulatedFunction world =
                new SimulatedFunction().deploy(PLAIN).settle().deploy(PLAIN).settle();
        String first = world.onlyRevision(1);

        assertThat(world.forget(0).next().deleteRevisions()).containsExactly(first);
        assertThat(world.settle().knative.revisions()).doesNotContainKey(first);
    }

    @Test
    void keepsOtherVersionsWhenOneIsBlocked() {
        SimulatedFunction world = new SimulatedFunction().deploy(PLAIN).settle();

        Rollout blocked = world.deploy(PLAIN.placement(Pool.cpu, Capacity.Spot, 0))
                .features(Feature.EmptyDir)
                .next();

        assertThat(blocked.blockers()).extracting(Blocker::reason).containsOnly(Reason.FeatureDisabled);
        assertThat(blocked.blockers()).hasSize(2);
        assertThat(blocked.plan().reason()).contains("cpu-spot");
        assertThat(blocked.apply()).noneMatch(o -> o.getMetadata().getName().equals("digits-cpu-spot"));
        assertThat(blocked.readyVersion()).hasValue(1);
    }

    @Test
    void createsNoRouteForBlockedFirstVersion() {
        Rollout blocked = new SimulatedFunction().deploy(PLAIN).features().next();

        assertThat(blocked.apply()).extracting(HasMetadata::getKind).containsExactly("Secret");
        assertThat(blocked.blockers())
                .singleElement()
                .satisfies(blocker -> assertThat(blocker.message()).contains("emptydir"));
    }

    private static String revision(SimulatedFunction world, String slot) {
        return world.knative.revisions().keySet().stream()
                .filter(name -> name.startsWith("digits-" + slot + "-v"))
                .findFirst()
                .orElseThrow();
    }

    private static String bound(SimulatedFunction world, String slot, String key) {
        return world.knative
                .revisions()
                .get(revision(world, slot))
                .getMetadata()
                .getAnnotations()
                .get("autoscaling.knative.dev/" + key);
    }
}
