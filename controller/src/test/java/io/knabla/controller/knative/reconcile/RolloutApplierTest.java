package io.knabla.controller.knative.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.PoolDecision;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.UnitProvenance;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.knative.CapacitySplits;
import io.knabla.controller.knative.InterruptionNeeds;
import io.knabla.controller.knative.UtilizationNeeds;
import io.knabla.controller.knative.WakePool;
import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.manifest.ClusterCapabilities;
import io.knabla.controller.knative.manifest.PodSettings;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.settings.Features;
import io.knabla.controller.knative.settings.Limits;
import io.knabla.controller.knative.status.FunctionSnapshot;
import io.knabla.controller.machine.Architecture;
import io.knabla.controller.platform.KeepWarm;
import io.knabla.controller.platform.KeepWarm.Warmth;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.storage.memory.MemoryObjectStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RolloutApplierTest {
    private static final FunctionSnapshot NOTHING =
            new FunctionSnapshot(List.of(), List.of(), Optional.empty(), List.of(), List.of());
    private static final FunctionRecord RECORD = new FunctionRecord(
            OperatorFixture.DIGITS, List.of(Specs.inference().version(1, Instant.EPOCH)), List.of(), "etag");

    private final OperatorFixture world = new OperatorFixture();
    private static final PodSettings SETTINGS = new PodSettings(
            "registry/replica:1",
            Optional.empty(),
            Optional.empty(),
            new StoreAccess("s3://bucket/prefix", Map.of()),
            Map.of(),
            Architecture.ofThisProcess());

    private final RolloutApplier steering = new RolloutApplier(
            new ObjectApplier(world.client),
            SETTINGS,
            new UnitProvenance(new MemoryObjectStore()),
            new ReplacementLimiter(_ -> {}),
            new RolloutNeeds(new Warm(), InterruptionNeeds.NONE, new Utilized(), CapacitySplits.NONE),
            new SleepApplier(WakePool.NONE, SETTINGS));

    private Warmth warmth = Warmth.NONE;
    private int utilized;

    private final class Utilized implements UtilizationNeeds {
        @Override
        public int minimum(FunctionId function, int version) {
            return utilized;
        }

        @Override
        public Runnable onChange(Consumer<FunctionId> listener) {
            return () -> {};
        }
    }

    private final class Warm implements KeepWarm {
        @Override
        public Warmth of(FunctionId function) {
            return warmth;
        }

        @Override
        public Demand demand(FunctionId function) {
            return Demand.IGNORED;
        }

        @Override
        public Runnable onChange(Consumer<FunctionId> listener) {
            return () -> {};
        }
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void doesNotOverwriteARouteThatTheWatchHasNotDelivered() {
        world.apply("digits", 4);
        FunctionObject function = world.function("digits").orElseThrow();
        world.client.resource(route(function)).create();

        var steered = steering.applyNextStep(function, RECORD, NOTHING, terrain());

        assertThat(steered.unfinished()).isTrue();
        assertThat(steered.blockers()).isEmpty();
        assertThat(configurations()).isEmpty();

        world.client.resource(route(function)).delete();
        steering.applyNextStep(function, RECORD, NOTHING, terrain());
        assertThat(configurations()).hasSize(1);
    }

    @Test
    void thePlanTellsWhyAPoolWasChosen() {
        world.apply("digits", 4);
        Version asked = Specs.inference().version(1, Instant.EPOCH);
        var decided = new Version(
                1,
                asked.spec(),
                asked.unit(),
                asked.model(),
                asked.created(),
                Optional.of(new PoolDecision(Pool.cpu, "CPU nodes cost less")));

        var steered = steering.applyNextStep(
                world.function("digits").orElseThrow(),
                new FunctionRecord(OperatorFixture.DIGITS, List.of(decided), List.of(), "etag"),
                NOTHING,
                terrain());

        assertThat(steered.plan().orElseThrow().reason()).endsWith("CPU nodes cost less");
    }

    @Test
    void keepWarmSetsTheMinimumScale() {
        world.apply("digits", 4);
        FunctionObject function = world.function("digits").orElseThrow();
        warmth = new Warmth(2, 1, "SCHEDULE", Optional.empty());

        steering.applyNextStep(function, RECORD, NOTHING, terrain());

        assertMinimumScale("1");
    }

    @Test
    void utilizationSetsTheMinimumScaleIfItIsMore() {
        world.apply("digits", 4);
        FunctionObject function = world.function("digits").orElseThrow();
        warmth = new Warmth(2, 1, "SCHEDULE", Optional.empty());
        utilized = 3;

        steering.applyNextStep(function, RECORD, NOTHING, terrain());

        assertMinimumScale("3");
    }

    private void assertMinimumScale(String replicas) {
        assertThat(configurations())
                .singleElement()
                .extracting(it -> it.getSpec().getTemplate().getMetadata().getAnnotations())
                .satisfies(annotations ->
                        assertThat(annotations).containsEntry("autoscaling.knative.dev/min-scale", replicas));
    }

    private List<Configuration> configurations() {
        return world.client
                .resources(Configuration.class)
                .inAnyNamespace()
                .list()
                .getItems();
    }

    private ClusterCapabilities terrain() {
        return new ClusterCapabilities(
                AvailableCapacity.of(world.client.nodes().list().getItems(), List.of()),
                Features.of(Map.of(
                        "kubernetes.podspec-affinity", "enabled",
                        "kubernetes.podspec-tolerations", "enabled",
                        "kubernetes.podspec-volumes-emptydir", "enabled")),
                Limits.of(Map.of(), Map.of()),
                Optional.empty());
    }

    private static Route route(FunctionObject function) {
        return new RouteBuilder()
                .withNewMetadata()
                .withNamespace(OperatorFixture.NAMESPACE)
                .withName(OperatorFixture.DIGITS.name())
                .addNewOwnerReference()
                .withApiVersion(function.getApiVersion())
                .withKind(function.getKind())
                .withName(function.getMetadata().getName())
                .withUid(function.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }
}
