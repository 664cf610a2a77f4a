package io.knabla.controller.knative.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.deploy.DeployResult;
import io.knabla.controller.knative.reconcile.PackagingQueue.PackagingRequest;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionResource;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deploys that end after the Function was deleted, for example by another leader. */
class OrphanCleaningDeployerTest {
    private static final RecordOwnership CLAIMS = new RecordOwnership("here");

    private final ServerSideApplyMock server = new ServerSideApplyMock();
    private final KubernetesClient client = server.client();
    private final MapCatalog catalog = new MapCatalog();
    private final OrphanCleaningDeployer deploys = new OrphanCleaningDeployer(client, catalog, this::deploy);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void keepsTheRecordOfAnExistingFunction() {
        deploys.apply(order(function()));

        assertThat(catalog.find(OperatorFixture.DIGITS)).isPresent();
    }

    @Test
    void deletesTheRecordOfADeletedFunction() {
        deploys.apply(order("gone"));

        assertThat(catalog.find(OperatorFixture.DIGITS)).isEmpty();
    }

    @Test
    void deletesTheRecordAlsoIfAFunctionOfTheSameNameExists() {
        function();
        deploys.apply(order("former"));

        assertThat(catalog.find(OperatorFixture.DIGITS)).isEmpty();
    }

    @Test
    void doesNotTouchARecordOwnedByTheNextFunction() {
        String next = function();
        catalog.update(OperatorFixture.DIGITS, _ -> record().ownedBy(CLAIMS.ownerOf(next)));
        deploys.apply(order("former"));

        assertThat(catalog.find(OperatorFixture.DIGITS).flatMap(FunctionRecord::owner))
                .contains(CLAIMS.ownerOf(next));
    }

    private DeployResult deploy(PackagingRequest order) {
        FunctionRecord written = catalog.update(OperatorFixture.DIGITS, now -> order.claim(now.orElse(record())));
        return new DeployResult.Deployed(written, written.latest(), List.of());
    }

    private static FunctionRecord record() {
        return new FunctionRecord(
                OperatorFixture.DIGITS, List.of(Specs.inference().version(1, Instant.EPOCH)), List.of(), "etag");
    }

    private static PackagingRequest order(String uid) {
        return new PackagingRequest(
                new FunctionResource(
                        OperatorFixture.NAMESPACE,
                        OperatorFixture.DIGITS.name(),
                        Specs.inference().spec()),
                uid,
                CLAIMS);
    }

    /** Creates a Function and returns its uid. */
    private String function() {
        FunctionObject function = new FunctionObject();
        function.getMetadata().setNamespace(OperatorFixture.NAMESPACE);
        function.getMetadata().setName(OperatorFixture.DIGITS.name());
        function.setSpec(JsonNodeFactory.instance.objectNode().put("model", OperatorFixture.UNIT.value()));
        return client.resource(function).create().getMetadata().getUid();
    }
}
