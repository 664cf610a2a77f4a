package io.knabla.controller.knative.reconcile;

import static io.knabla.controller.knative.reconcile.OperatorFixture.NAMESPACE;
import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.ConfigurationBuilder;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.knabla.controller.knative.reconcile.OperatorRuntime.Kind;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** A further kind of resource is one more element of a list. */
class OperatorRuntimeTest {
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    @Test
    void reconcilesObjectsOfEachKind() {
        try (var world = new OperatorFixture();
                var operator = OperatorRuntime.of(
                        world.client,
                        new SimpleMeterRegistry(),
                        List.of(NAMESPACE),
                        List.of(
                                new Kind<>("configurations", "toy.knabla.dev/a", new Configurations()),
                                new Kind<>("routes", "toy.knabla.dev/b", new Routes())))) {
            operator.start();
            world.client
                    .resource(
                            new ConfigurationBuilder().withMetadata(named("a")).build())
                    .create();
            world.client
                    .resource(new RouteBuilder().withMetadata(named("b")).build())
                    .create();

            await().until(() -> seen.size() == 2);

            assertThat(seen).containsExactlyInAnyOrder("Configuration a", "Route b");
        }
    }

    private final class Configurations implements Reconciler<Configuration> {
        @Override
        public UpdateControl<Configuration> reconcile(Configuration object, Context<Configuration> context) {
            seen.add(nameOf(object));
            return UpdateControl.noUpdate();
        }
    }

    private final class Routes implements Reconciler<Route> {
        @Override
        public UpdateControl<Route> reconcile(Route object, Context<Route> context) {
            seen.add(nameOf(object));
            return UpdateControl.noUpdate();
        }
    }

    private static ObjectMeta named(String name) {
        return new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(name).build();
    }

    private static String nameOf(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }
}
