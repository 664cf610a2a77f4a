package io.knabla.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.cluster.knative.resource.FunctionObject;
import io.knabla.controller.deploy.Deployment;
import io.knabla.controller.operator.Packagings.Order;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionResource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deploys that end after the Function was deleted, for example by another leader. */
class WantedDeploysTest {
    private static final Claims CLAIMS = new Claims("here");

    private final ApplyingServer server = new ApplyingServer();
    private final KubernetesClient client = server.client();
    private final MapCatalog catalog = new MapCatalog();
    private final WantedDeploys deploys = new WantedDeploys(client, catalog, this::deploy);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void keepsTheRecordOfAnExistingFunction() {
        deploys.apply(order(function()));

        assertThat(catalog.find(World.DIGITS)).isPresent();
    }

    @Test
    void deletesTheRecordOfADeletedFunction() {
        deploys.apply(order("gone"));

        assertThat(catalog.find(World.DIGITS)).isEmpty();
    }

    @Test
    void deletesTheRecordAlsoIfAFunctionOfTheSameNameExists() {
        function();
        deploys.apply(order("former"));

        assertThat(catalog.find(World.DIGITS)).isEmpty();
    }

    @Test
    void doesNotTouchARecordOwnedByTheNextFunction() {
        String next = function();
        catalog.update(World.DIGITS, _ -> record().ownedBy(CLAIMS.of(next)));
        deploys.apply(order("former"));

        assertThat(catalog.find(World.DIGITS).flatMap(FunctionRecord::owner)).contains(CLAIMS.of(next));
    }

    private Deployment deploy(Order order) {
        FunctionRecord written = catalog.update(World.DIGITS, now -> order.claimed(now.orElse(record())));
        return new Deployment.Deployed(written, written.latest(), List.of());
    }

    private static FunctionRecord record() {
        return new FunctionRecord(
                World.DIGITS,
                List.of(Specs.inference().version(1, Instant.EPOCH)),
                List.of(),
                "etag",
                Optional.empty());
    }

    private static Order order(String uid) {
        return new Order(
                new FunctionResource(
                        World.NAMESPACE, World.DIGITS.name(), Specs.inference().spec()),
                uid,
                CLAIMS);
    }

    /** Creates a Function and returns its uid. */
    private String function() {
        FunctionObject function = new FunctionObject();
        function.getMetadata().setNamespace(World.NAMESPACE);
        function.getMetadata().setName(World.DIGITS.name());
        function.setSpec(JsonNodeFactory.instance.objectNode().put("model", World.UNIT.value()));
        return client.resource(function).create().getMetadata().getUid();
    }
}
