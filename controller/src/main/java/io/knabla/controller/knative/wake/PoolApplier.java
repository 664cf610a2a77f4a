package io.knabla.controller.knative.wake;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.knabla.controller.knative.manifest.PoolObjects;
import io.knabla.controller.knative.resource.Labels;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes and deletes the objects of pools. Makes those of a namespace once, and again if they are missing. */
final class PoolApplier {
    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(Labels.MANAGER)
            .withForce(true)
            .build();

    private final KubernetesClient client;
    private final PoolObjects objects;
    private final Set<String> applied = new HashSet<>();

    PoolApplier(KubernetesClient client, PoolObjects objects) {
        this.client = client;
        this.objects = objects;
    }

    /** @param there namespaces with a pool */
    void apply(Set<String> wanted, Set<String> there) {
        for (String namespace : wanted) {
            if (!applied.contains(namespace) || !there.contains(namespace)) {
                make(objects.of(namespace));
                applied.add(namespace);
            }
        }
        for (String namespace : there) {
            if (!wanted.contains(namespace)) {
                delete(namespace);
                applied.remove(namespace);
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
    }
}
