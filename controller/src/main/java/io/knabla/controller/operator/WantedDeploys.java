package io.knabla.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.cluster.knative.resource.FunctionObject;
import io.knabla.controller.deploy.Deployment;
import io.knabla.controller.operator.Packagings.Order;
import java.util.function.Function;

/**
 * Deploys a version, then deletes its record if the Function was deleted meanwhile. Another leader may have finalized
 * that Function already: nothing else would ever delete the record.
 */
final class WantedDeploys implements Function<Order, Deployment> {
    private static final System.Logger LOG = System.getLogger(WantedDeploys.class.getName());

    private final KubernetesClient client;
    private final Catalog catalog;
    private final Function<Order, Deployment> deployer;

    WantedDeploys(KubernetesClient client, Catalog catalog, Function<Order, Deployment> deployer) {
        this.client = client;
        this.catalog = catalog;
        this.deployer = deployer;
    }

    @Override
    public Deployment apply(Order order) {
        Deployment made = deployer.apply(order);
        FunctionId id = new FunctionId(order.wish().namespace(), order.wish().name());
        if (made instanceof Deployment.Deployed(var record, var _, var _)
                && !order.isAnothers(record)
                && isGone(id, order.uid())) {
            catalog.delete(id);
        }
        return made;
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
