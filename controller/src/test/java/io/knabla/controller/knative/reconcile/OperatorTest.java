package io.knabla.controller.knative.reconcile;

import static io.knabla.controller.knative.reconcile.OperatorFixture.DIGITS;
import static io.knabla.controller.knative.reconcile.OperatorFixture.NAMESPACE;
import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import io.knabla.controller.knative.resource.FunctionObjectStatus.Cost;
import io.knabla.controller.knative.resource.Labels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator on Fabric8's mock server: watches, finalizers and retries; the cluster suite tests pods. */
class OperatorTest {
    private OperatorFixture world;

    @BeforeEach
    void open() {
        world = new OperatorFixture();
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void packagesAFunctionAndAppliesItsObjects() {
        world.startOperator(world::record);
        world.apply("digits", 4);

        await().until(() -> world.condition("digits", "Packaged").equals("True Packaged"));
        await().until(() -> configurations().size() == 1 && route() != null);
        FunctionObject function = world.function("digits").orElseThrow();
        assertThat(function.getMetadata().getFinalizers()).containsExactly(FunctionOperator.FINALIZER);
        assertThat(function.getStatus().observedGeneration())
                .isEqualTo(function.getMetadata().getGeneration());
        assertThat(function.getStatus().latestVersion()).isEqualTo(1);
        assertThat(configurations().getFirst().getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> {
                    assertThat(owner.getUid()).isEqualTo(function.getMetadata().getUid());
                    assertThat(owner.getController()).isTrue();
                });
        await().until(() -> events().stream().anyMatch(e -> e.getReason().equals("Packaged")));
    }

    /** Without a pod it is known without any price. */
    @Test
    void writesWhatAFunctionCostsNow() {
        world.startOperator(world::record);
        world.apply("digits", 4);

        await().until(() -> world.function("digits")
                .map(FunctionObject::getStatus)
                .map(FunctionObjectStatus::cost)
                .equals(Optional.of(new Cost("0", null))));
    }

    @Test
    void reportsAnInvalidSpecInItsStatus() {
        world.startOperator(world::record);
        var spec = JsonNodeFactory.instance.objectNode();
        spec.put("model", OperatorFixture.UNIT.value());
        spec.put("timeuot", "5s");
        world.apply("digits", spec);

        await().until(() -> world.condition("digits", "Packaged").equals("False Invalid"));
        assertThat(world.function("digits").orElseThrow().getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals("Packaged")))
                .singleElement()
                .satisfies(condition -> assertThat(condition.getMessage()).contains("spec.timeuot", "timeout"));
        assertThat(world.catalog.list()).isEmpty();

        world.apply("digits", 4);
        await().until(() -> world.condition("digits", "Packaged").equals("True Packaged"));
    }

    @Test
    void packagesAnEditMadeDuringPackagingNext() {
        var first = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        world.startOperator(wish -> {
            begun.countDown();
            hold(first);
            return world.record(wish);
        });
        world.apply("digits", 4);
        hold(begun);
        world.apply("digits", 5);
        world.apply("other", 4);
        first.countDown();

        await().until(() -> versions("digits").size() == 2);
        await().until(() -> versions("other").size() == 1);
        assertThat(versions("digits"))
                .extracting(version -> version.spec().scaling().concurrency())
                .containsExactly(4, 5);
        await().until(() -> Integer.valueOf(2)
                .equals(world.function("digits").orElseThrow().getStatus().latestVersion()));
    }

    @Test
    void aSlowPackagingDoesNotDelayOtherFunctions() {
        var slow = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        world.startOperator(wish -> {
            if (wish.name().equals("digits")) {
                begun.countDown();
                hold(slow);
            }
            return world.record(wish);
        });
        world.apply("digits", 4);
        hold(begun);
        world.apply("other", 4);

        await().until(() -> world.condition("other", "Packaged").equals("True Packaged"));
        await().until(() -> world.condition("digits", "Packaged").startsWith("Unknown"));
        slow.countDown();
        await().until(() -> world.condition("digits", "Packaged").equals("True Packaged"));
    }

    @Test
    void leavesNothingOfAFunctionDeletedDuringPackaging() {
        var packaging = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        world.startOperator(wish -> {
            begun.countDown();
            hold(packaging);
            return world.record(wish);
        });
        world.apply("digits", 4);
        hold(begun);
        world.delete("digits");
        await().until(() -> world.function("digits")
                .filter(FunctionObject::isMarkedForDeletion)
                .isPresent());
        packaging.countDown();

        await().until(() -> world.function("digits").isEmpty());
        assertThat(world.catalog.find(DIGITS)).isEmpty();
    }

    @Test
    void aRecreatedFunctionInheritsNothing() {
        world.startOperator(world::record);
        world.apply("digits", 4);
        await().until(() -> configurations().size() == 1 && route() != null);
        world.apply("digits", 5);
        await().until(() -> versions("digits").size() == 2);
        String former = world.function("digits").orElseThrow().getMetadata().getUid();

        world.delete("digits");
        await().until(() -> world.function("digits").isEmpty());
        world.apply("digits", 6);

        await().until(() -> versions("digits").size() == 1 && configurations().size() == 1);
        assertThat(versions("digits").getFirst().spec().scaling().concurrency()).isEqualTo(6);
        await().untilAsserted(() -> assertThat(configurations())
                .singleElement()
                .satisfies(it -> assertThat(it.getMetadata().getOwnerReferences())
                        .extracting("uid")
                        .doesNotContain(former)
                        .hasSize(1)));
    }

    @Test
    void doesNotPackageAgainAfterARestart() {
        var first = world.startOperator(world::record);
        world.apply("digits", 4);
        await().until(() -> world.condition("digits", "Packaged").equals("True Packaged"));
        await().until(() -> route() != null);
        first.close();
        client().resources(Route.class)
                .inNamespace(NAMESPACE)
                .withName("digits")
                .delete();

        var again = new AtomicInteger();
        world.startOperator(wish -> {
            again.incrementAndGet();
            return world.record(wish);
        });

        await().until(() -> route() != null);
        assertThat(again).hasValue(0);
    }

    @Test
    void packagesALostUnitOncePerRestartThatMissedIt() {
        var packagings = new AtomicInteger();
        world.startOperator(wish -> {
            packagings.incrementAndGet();
            return world.record(wish);
        });
        world.apply("digits", 4);
        await().until(() -> world.condition("digits", "Packaged").equals("True Packaged"));

        client().resource(missing(0)).create();
        await().until(() -> packagings.get() == 2);
        client().resource(missing(1)).update();
        await().until(() -> packagings.get() == 3);

        world.apply("digits", 5);
        await().until(() -> versions("digits").size() == 2);
        await().until(() -> world.condition("digits", "Packaged").equals("True Packaged"));
        assertThat(packagings).as("the same restart is answered once").hasValue(4);
    }

    private static Pod missing(int restarts) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName("digits-1")
                .withUid("1-2-3")
                .withLabels(Map.of(Labels.FUNCTION, "digits", Labels.VERSION, "1"))
                .endMetadata()
                .withNewSpec()
                .withNodeName("node")
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .addNewContainerStatus()
                .withName("replica")
                .withRestartCount(restarts)
                .withNewState()
                .withNewTerminated()
                .withExitCode(3)
                .withMessage(
                        "{\"event\":\"failed\",\"error\":\"'units/a.json' is not in the store s3://bucket\",\"code\":\"UNIT_MISSING\"}\n"
                                + "replica failed: 'units/a.json' is not in the store s3://bucket")
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    @Test
    void doesNotTakeOverAForeignRoute() {
        client().resource(new RouteBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("digits")
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .build())
                .create();
        world.startOperator(world::record);
        world.apply("digits", 4);

        await().until(() -> world.condition("digits", "Placed").equals("False NameTaken"));
        assertThat(route().getMetadata().getOwnerReferences()).isEmpty();
        assertThat(configurations()).isEmpty();
    }

    @Test
    void resetsTrafficWhenTheResourceHasNone() {
        world.startOperator(world::record);
        world.apply("digits", 4);
        await().until(() -> versions("digits").size() == 1);
        var spec = (com.fasterxml.jackson.databind.node.ObjectNode)
                world.function("digits").orElseThrow().getSpec();
        var pinned = spec.deepCopy();
        pinned.putArray("traffic").addObject().put("version", 1).put("percent", 100);
        world.apply("digits", pinned);
        await().until(() -> !record().traffic().isEmpty());

        world.apply("digits", spec);
        await().until(() -> record().traffic().isEmpty());
        assertThat(versions("digits")).hasSize(1);
    }

    private io.fabric8.kubernetes.client.KubernetesClient client() {
        return world.client;
    }

    private FunctionRecord record() {
        return world.catalog.find(DIGITS).orElseThrow();
    }

    private List<Version> versions(String name) {
        return world.catalog
                .find(new io.knabla.controller.catalog.FunctionId(NAMESPACE, name))
                .map(FunctionRecord::versions)
                .orElse(List.of());
    }

    private List<Configuration> configurations() {
        return client().resources(Configuration.class)
                .inNamespace(NAMESPACE)
                .list()
                .getItems();
    }

    private Route route() {
        return client().resources(Route.class)
                .inNamespace(NAMESPACE)
                .withName("digits")
                .get();
    }

    private List<Event> events() {
        return client().events().v1().events().inNamespace(NAMESPACE).list().getItems();
    }

    private static void hold(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
