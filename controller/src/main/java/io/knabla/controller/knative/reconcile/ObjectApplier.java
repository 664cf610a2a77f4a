package io.knabla.controller.knative.reconcile;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.knabla.controller.knative.manifest.Rollout;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import io.knabla.controller.knative.resource.Labels;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Writes decided changes to the API server: objects, scale annotations, deletions and statuses. */
final class ObjectApplier {
    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(Labels.MANAGER)
            .withForce(true)
            .build();
    private static final PatchContext MERGE = new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(Labels.MANAGER)
            .build();

    private final KubernetesClient client;

    /**
     * Hashes of applied objects that are not watched, by the Function's uid and the kind. The hash covers the content
     * and the Function's generation: every deploy applies them again.
     */
    private final Map<String, Integer> applied = new ConcurrentHashMap<>();

    ObjectApplier(KubernetesClient client) {
        this.client = client;
    }

    void write(FunctionObject function, Rollout rollout) {
        String namespace = function.getMetadata().getNamespace();
        rollout.apply().forEach(object -> apply(function, object));
        rollout.bounds().forEach((revision, bounds) -> patchScaleAnnotations(namespace, revision, bounds));
        rollout.deleteConfigurations().forEach(name -> delete(Configuration.class, namespace, name));
        rollout.deleteRevisions().forEach(name -> delete(Revision.class, namespace, name));
    }

    private void apply(FunctionObject function, HasMetadata object) {
        if (object instanceof Configuration || object instanceof Route) {
            client.resource(object).patch(APPLY);
            return;
        }
        String key = key(function, object.getKind());
        int hash = Objects.hash(function.getMetadata().getGeneration(), Serialization.asJson(object));
        if (!Integer.valueOf(hash).equals(applied.get(key))) {
            client.resource(object).patch(APPLY);
            applied.put(key, hash);
        }
    }

    /** Ignores a Revision that was deleted meanwhile. */
    private void patchScaleAnnotations(String namespace, String revision, Map<String, String> annotations) {
        try {
            client.resources(Revision.class)
                    .inNamespace(namespace)
                    .withName(revision)
                    .patch(MERGE, Serialization.asJson(Map.of("metadata", Map.of("annotations", annotations))));
        } catch (KubernetesClientException failed) {
            if (failed.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw failed;
            }
        }
    }

    /** Does nothing if the object is already gone. */
    void delete(HasMetadata object) {
        delete(
                object.getClass(),
                object.getMetadata().getNamespace(),
                object.getMetadata().getName());
    }

    private void delete(Class<? extends HasMetadata> type, String namespace, String name) {
        client.resources(type)
                .inNamespace(namespace)
                .withName(name)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
    }

    /** Reads the Route of the function's name from the API server, whoever created it. */
    Optional<Route> route(FunctionObject function) {
        return Optional.ofNullable(client.resources(Route.class)
                .inNamespace(function.getMetadata().getNamespace())
                .withName(function.getMetadata().getName())
                .get());
    }

    void status(FunctionObject function, FunctionObjectStatus status) {
        FunctionObject fresh = new FunctionObject();
        fresh.getMetadata().setName(function.getMetadata().getName());
        fresh.getMetadata().setNamespace(function.getMetadata().getNamespace());
        fresh.setSpec(null);
        fresh.setStatus(status);
        client.resource(fresh).subresource("status").patch(APPLY);
    }

    /** Drops the hashes of a function that is deleted, or whose applied objects are missing. */
    void forget(FunctionObject function) {
        List.of("Secret", "ServiceAccount").forEach(kind -> applied.remove(key(function, kind)));
    }

    private static String key(FunctionObject function, String kind) {
        return function.getMetadata().getUid() + "/" + kind;
    }
}
