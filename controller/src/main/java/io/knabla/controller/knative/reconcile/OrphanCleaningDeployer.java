package io.knabla.controller.knative.reconcile;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.deploy.DeployResult;
import io.knabla.controller.knative.reconcile.PackagingQueue.PackagingRequest;
import io.knabla.controller.knative.resource.FunctionObject;
import java.util.function.Function;

/**
 * Deploys a version, then deletes its record if the Function was deleted meanwhile. Another leader may have finalized
 * that Function already: nothing else would ever delete the record.
 */
final class OrphanCleaningDeployer implements Function<PackagingRequest, DeployResult> {
    private static final System.Logger LOG = System.getLogger(OrphanCleaningDeployer.class.getName());

    private final KubernetesClient client;
    private final Catalog catalog;
    private final Function<PackagingRequest, DeployResult> deployer;

    OrphanCleaningDeployer(
            KubernetesClient client, Catalog catalog, Function<PackagingRequest, DeployResult> deployer) {
        this.client = client;
        this.catalog = catalog;
        this.deployer = deployer;
    }

    @Override
    public DeployResult apply(PackagingRequest request) {
        DeployResult result = deployer.apply(request);
        FunctionId id = new FunctionId(
                request.resource().namespace(), request.resource().name());
        if (result instanceof DeployResult.Deployed(var record, var _, var _)
                && !request.isOwnedByAnother(record)
                && isGone(id, request.uid())) {
            catalog.delete(id);
        }
        return result;
    }

    private boolean isGone(FunctionId id, String uid) {
        try {
            FunctionObject now = client.resources(FunctionObject.class)
                    .inNamespace(id.namespace())
                    .withName(id.name())
                    .get();
            return now == null
                    || now.isMarkedForDeletion()
                    || !uid.equals(now.getMetadata().getUid());
        } catch (KubernetesClientException unknown) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "cannot check whether {0} still exists, so its new version stays in the catalog: {1}",
                    id,
                    unknown.getMessage());
            return false;
        }
    }
}
