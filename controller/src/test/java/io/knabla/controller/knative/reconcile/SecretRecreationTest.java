package io.knabla.controller.knative.reconcile;

import static io.knabla.controller.knative.reconcile.OperatorFixture.NAMESPACE;
import static io.knabla.controller.standin.AwaitSupport.await;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.knabla.controller.knative.resource.Labels;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Secrets of a function's pods are not watched: a waiting pod or a deploy makes the operator apply them again. */
class SecretRecreationTest {
    private OperatorFixture world;

    @BeforeEach
    void open() {
        world = new OperatorFixture();
        world.startOperator(world::record);
        world.apply("digits", 4);
        await().until(() -> secret().get() != null);
        await().until(() -> world.condition("digits", "Packaged").equals("True Packaged"));
        secret().delete();
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void recreatesASecretThatAReplicaWaitsFor() {
        world.client
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("digits-pod")
                        .withLabels(Map.of(Labels.FUNCTION, "digits", Labels.VERSION, "1"))
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .withNewStatus()
                        .addNewContainerStatus()
                        .withName("user-container")
                        .withNewState()
                        .withNewWaiting()
                        .withReason("CreateContainerConfigError")
                        .withMessage("secret \"digits-knabla\" not found")
                        .endWaiting()
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build())
                .create();

        await().until(() -> secret().get() != null);
    }

    @Test
    void recreatesASecretAfterADeploy() {
        world.apply("digits", 5);

        await().until(() -> secret().get() != null);
    }

    private Resource<Secret> secret() {
        return world.client.secrets().inNamespace(NAMESPACE).withName("digits-knabla");
    }
}
