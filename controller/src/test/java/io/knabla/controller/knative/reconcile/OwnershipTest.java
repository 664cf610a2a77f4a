package io.knabla.controller.knative.reconcile;

import static io.knabla.controller.knative.reconcile.OperatorFixture.NAMESPACE;
import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.ConfigurationBuilder;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.knabla.controller.knative.resource.Labels;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects with a function's label that the operator does not own: a Knative Service copies its labels to them. */
class OwnershipTest {
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
    void doesNotDeleteObjectsThatOnlyHaveTheLabel() {
        create("dashboard");
        FunctionOperator first = world.startOperator(world::record);
        world.apply("digits", 4);
        await().until(() -> route("digits").get() != null);
        // A new operator starts with complete lists; the watches of this one may be behind.
        first.close();
        world.startOperator(world::record);

        world.delete("digits");
        await().until(() -> world.function("digits").isEmpty());

        assertThat(route("digits").get()).isNull();
        assertThat(route("dashboard").get()).isNotNull();
        assertThat(world.client
                        .resources(Configuration.class)
                        .inNamespace(NAMESPACE)
                        .list()
                        .getItems())
                .singleElement()
                .satisfies(it -> assertThat(it.getMetadata().getName()).isEqualTo("dashboard"));
    }

    @Test
    void doesNotTakeOverARouteThatOnlyHasTheLabel() {
        create("digits");
        world.startOperator(world::record);
        world.apply("digits", 4);

        await().until(() -> world.condition("digits", "Placed").equals("False NameTaken"));
        assertThat(route("digits").get().getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getKind()).isEqualTo("Service"));
    }

    private void create(String service) {
        world.client
                .resource(new RouteBuilder()
                        .withMetadata(of(service))
                        .withNewSpec()
                        .endSpec()
                        .build())
                .create();
        world.client
                .resource(new ConfigurationBuilder()
                        .withMetadata(of(service))
                        .withNewSpec()
                        .endSpec()
                        .build())
                .create();
    }

    private static ObjectMeta of(String service) {
        return new ObjectMetaBuilder()
                .withNamespace(NAMESPACE)
                .withName(service)
                .addToLabels(Labels.FUNCTION, "digits")
                .addNewOwnerReference()
                .withApiVersion("serving.knative.dev/v1")
                .withKind("Service")
                .withName(service)
                .withUid("of-the-service")
                .withController(true)
                .endOwnerReference()
                .build();
    }

    private Resource<Route> route(String name) {
        return world.client.resources(Route.class).inNamespace(NAMESPACE).withName(name);
    }
}
