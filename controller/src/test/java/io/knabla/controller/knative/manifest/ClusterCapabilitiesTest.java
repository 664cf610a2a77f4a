package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.knative.resource.Reason;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.knative.settings.Features;
import io.knabla.controller.knative.settings.Limits;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.compiler.analyze.Analysis.Suggestion;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests how Knative's settings are read, and the blocker for each disabled feature or exceeded limit. */
class ClusterCapabilitiesTest {
    private static final PodSettings PODS = PodTemplateTest.settings(Map.of(), Optional.empty(), Map.of());
    private static final Features ALL = new Features(Set.of(Feature.values()));

    @ParameterizedTest
    @CsvSource({
        "kubernetes.podspec-affinity, enabled, true",
        "kubernetes.podspec-affinity, Enabled, true",
        "kubernetes.podspec-affinity, allowed, true",
        "kubernetes.podspec-affinity, disabled, false",
        "kubernetes.podspec-affinity, ja, false",
        "kubernetes.podspec-nodeselector, enabled, false",
    })
    void parsesFeatureLikeKnative(String key, String value, boolean on) {
        assertThat(Features.of(Map.of(key, value)).has(Feature.Affinity)).isEqualTo(on);
    }

    @ParameterizedTest
    @CsvSource({"enabled,true", "allowed,false", "disabled,false", "DISABLED,false", "x,true"})
    void enablesEmptyDirByDefault(String value, boolean on) {
        assertThat(Features.of(Map.of(Feature.EmptyDir.key(), value)).has(Feature.EmptyDir))
                .isEqualTo(on);
        assertThat(Features.of(Map.of()).enabled()).containsExactly(Feature.EmptyDir);
    }

    @Test
    void usesKnativeDefaultsForUnsetLimits() {
        assertThat(Limits.of(Map.of(), Map.of())).isEqualTo(Limits.DEFAULT);
        assertThat(Limits.of(
                        Map.of(
                                "max-revision-timeout-seconds", " 3600 ",
                                "container-concurrency-max-limit", "50"),
                        Map.of("max-scale-limit", "7")))
                .isEqualTo(new Limits(3600, 50, 7));
        assertThat(Limits.of(Map.of("max-revision-timeout-seconds", "soon"), Map.of()))
                .isEqualTo(Limits.DEFAULT);
    }

    @ParameterizedTest
    @EnumSource(
            value = Feature.class,
            names = {"Affinity", "Tolerations", "EmptyDir"})
    void namesCommandForMissingFeature(Feature off) {
        FunctionSpec spec =
                Specs.inference().placement(Pool.cpu, Capacity.Spot, 0).spec();
        var others = new java.util.HashSet<>(Set.of(Feature.values()));
        others.remove(off);

        List<Blocker> blockers = Blocker.of(
                spec, PlacementPlanTest.slot("cpu-spot"), terrain(new Features(others), Limits.DEFAULT), PODS);

        assertThat(blockers).singleElement().satisfies(blocker -> {
            assertThat(blocker.reason()).isEqualTo(Reason.FeatureDisabled);
            assertThat(blocker.message())
                    .contains("cpu-spot", off.key() + ": enabled", off.use())
                    .endsWith(
                            "kubectl patch configmap config-features -n knative-serving --type merge -p '{\"data\":{\"%s\":\"enabled\"}}'"
                                    .formatted(off.key()));
        });
    }

    @Test
    void needsNoOptionalFeature() {
        Features least = new Features(Set.of(Feature.EmptyDir));

        assertThat(Blocker.of(
                        Specs.inference().spec(),
                        PlacementPlanTest.slot("cpu-on-demand"),
                        terrain(least, Limits.DEFAULT),
                        PODS))
                .isEmpty();
    }

    @Test
    void reportsExceededLimitsBeforeKnativesWebhook() {
        Specs slow = Specs.inference().timeout(Duration.ofMillis(600_001));

        assertThat(messages(slow, Limits.DEFAULT))
                .singleElement()
                .asString()
                .contains("spec.timeout is 601 s", "max-revision-timeout-seconds: 600")
                .endsWith("'{\"data\":{\"max-revision-timeout-seconds\":\"601\"}}'");
        assertThat(messages(slow, new Limits(601, 1000, 0))).isEmpty();
        assertThat(messages(Specs.inference().streamIdleTimeout(Duration.ofSeconds(700)), Limits.DEFAULT))
                .singleElement()
                .asString()
                .contains("spec.generation.streamIdleTimeout is 700 s, above");
        assertThat(messages(Specs.inference(), new Limits(600, 1000, 9)))
                .singleElement()
                .asString()
                .contains("spec.scaling.max is 10", "max-scale-limit: 9", "config-autoscaler");
        assertThat(messages(Specs.inference(), new Limits(600, 1000, 10))).isEmpty();
    }

    @Test
    void reportsAllFaultsAtOnce() {
        assertThat(messages(Specs.inference().timeout(Duration.ofHours(1)), new Limits(600, 1000, 9)))
                .hasSize(2);
    }

    @Test
    void blocksOnUnsupportedKnative() {
        var old = new ClusterCapabilities(
                PlacementPlanTest.supply("cpu-on-demand"), ALL, Limits.DEFAULT, Optional.of("1.15.0, which cannot"));

        assertThat(Blocker.of(Specs.inference().spec(), PlacementPlanTest.slot("cpu-on-demand"), old, PODS))
                .containsExactly(new Blocker(Reason.KnativeTooOld, "Knative Serving is 1.15.0, which cannot"));
    }

    @Test
    void blocksOnAGpuWithoutAnImageThatComputesOnIt() {
        FunctionSpec spec =
                Specs.inference().placement(Pool.gpu, Capacity.OnDemand, 0).spec();
        ClusterCapabilities cluster = terrain(ALL, Limits.DEFAULT);

        assertThat(Blocker.of(spec, PlacementPlanTest.slot("gpu-on-demand"), cluster, PODS))
                .singleElement()
                .satisfies(blocker -> {
                    assertThat(blocker.reason()).isEqualTo(Reason.GpuImageMissing);
                    assertThat(blocker.message())
                            .contains(
                                    "gpu-on-demand",
                                    "KNABLA_CLUSTER_GPU_IMAGE",
                                    "--gpu-base",
                                    "spec.resources.gpu to 0");
                });
        assertThat(Blocker.of(
                        spec,
                        PlacementPlanTest.slot("gpu-on-demand"),
                        cluster,
                        PodTemplateTest.settings(Map.of(), Optional.of(new GpuPods("gpu:1")), Map.of())))
                .isEmpty();
    }

    @Test
    void takesAutoSizeFromAnalysis() {
        var suggestion = Optional.of(new Suggestion("cpu", 2000, 1L << 30, "large"));
        FunctionSpec auto = Specs.inference().spec();
        FunctionSpec said = Specs.inference()
                .resources(new Resources(Optional.of(250L), Optional.of(64L << 20), 0))
                .spec();

        assertThat(ReplicaSize.of(auto, suggestion, 0)).isEqualTo(new ReplicaSize(2000, 1L << 30, 0, 0));
        assertThat(ReplicaSize.of(said, suggestion, 0)).isEqualTo(new ReplicaSize(250, 64L << 20, 0, 0));
        assertThat(ReplicaSize.of(auto, Optional.empty(), 0)).isEqualTo(new ReplicaSize(500, 256L << 20, 0, 0));
        assertThat(ReplicaSize.of(
                                Specs.inference()
                                        .placement(Pool.gpu, Capacity.OnDemand, 0)
                                        .spec(),
                                suggestion,
                                0)
                        .gpu())
                .isEqualTo(1);
        assertThat(ReplicaSize.of(
                                Specs.inference()
                                        .resources(new Resources(Optional.empty(), Optional.empty(), 3))
                                        .spec(),
                                suggestion,
                                0)
                        .gpu())
                .isEqualTo(3);
    }

    private static List<String> messages(Specs specs, Limits limits) {
        return Blocker.of(specs.spec(), PlacementPlanTest.slot("cpu-on-demand"), terrain(ALL, limits), PODS).stream()
                .map(Blocker::message)
                .toList();
    }

    private static ClusterCapabilities terrain(Features features, Limits limits) {
        return new ClusterCapabilities(PlacementPlanTest.supply("cpu-on-demand"), features, limits);
    }
}
