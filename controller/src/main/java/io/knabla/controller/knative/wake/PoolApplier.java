package io.knabla.controller.knative.wake;

import static java.lang.System.Logger.Level.WARNING;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.knabla.controller.knative.manifest.PoolObjects;
import io.knabla.controller.knative.resource.Labels;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes and deletes the objects of pools. Makes those of a namespace once, and again if they are missing or the API
 * server refused them.
 */
final class PoolApplier {
    private static final System.Logger LOG = System.getLogger(PoolApplier.class.getName());

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(Labels.MANAGER)
            .withForce(true)
            .build();

    private final KubernetesClient client;
    private final PoolObjects objects;
    private final Set<String> applied = new HashSet<>();

    /** Why the API server refused a namespace's pool when that was logged last. */
    private final Map<String, String> refused = new HashMap<>();

    PoolApplier(KubernetesClient client, PoolObjects objects) {
        this.client = client;
        this.objects = objects;
    }

    /** @param there namespaces with a pool */
    void apply(Set<String> wanted, Set<String> there) {
        for (String namespace : wanted) {
            if (!applied.contains(namespace) || !there.contains(namespace)) {
                attempt(namespace, () -> {
                    make(objects.of(namespace));
                    applied.add(namespace);
                });
            }
        }
        for (String namespace : there) {
            if (!wanted.contains(namespace)) {
                attempt(namespace, () -> {
                    delete(namespace);
                    applied.remove(namespace);
                });
            }
        }
    }

    /** A namespace that ends, or where the controller may do nothing, does not keep the others from their pools. */
    private void attempt(String namespace, Runnable change) {
        try {
            change.run();
            refused.remove(namespace);
        } catch (KubernetesClientException refusal) {
            if (!refusal.toString().equals(refused.put(namespace, refusal.toString()))) {
                LOG.log(
                        WARNING,
                        "cannot change the wake pool of namespace " + namespace + "; it is tried again",
                        refusal);
            }
        }
    }

    /** The Configuration owns the others: the controller may make a Secret, but not delete one. */
    private void make(List<HasMetadata> all) {
        HasMetadata configuration = all.stream()
                .filter(Configuration.class::isInstance)
                .findFirst()
                .map(it -> client.resource(it).patch(APPLY))
                .orElseThrow();
        OwnerReference owner = new OwnerReferenceBuilder()
                .withApiVersion(configuration.getApiVersion())
                .withKind(configuration.getKind())
                .withName(configuration.getMetadata().getName())
                .withUid(configuration.getMetadata().getUid())
                .build();
        for (HasMetadata object : all) {
            if (!(object instanceof Configuration)) {
                object.getMetadata().setOwnerReferences(List.of(owner));
                client.resource(object).patch(APPLY);
            }
        }
    }

    private void delete(String namespace) {
        client.resources(Configuration.class)
                .inNamespace(namespace)
                .withName(PoolObjects.NAME)
                .delete();
    }

    void forget() {
        applied.clear();
        refused.clear();
    }
}
