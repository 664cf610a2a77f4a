package io.knabla.controller.cli.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.knative.resource.Labels;
import java.util.List;
import java.util.Optional;

/** Reads, applies and deletes {@code Function} resources of a cluster with the user's credentials. */
public final class FunctionObjects {
    /** Field manager of a deploy; {@code kubectl} takes its fields over without a conflict. */
    private static final String MANAGER = "knabla-cli";

    private static final int TRIES = 5;

    private static final ResourceDefinitionContext FUNCTIONS = new ResourceDefinitionContext.Builder()
            .withGroup(Labels.GROUP)
            .withVersion("v1alpha1")
            .withKind("Function")
            .withPlural("functions")
            .withNamespaced(true)
            .build();

    private final KubernetesClient client;
    private final ApiServerErrors troubles;

    FunctionObjects(KubernetesClient client, ApiServerErrors troubles) {
        this.client = client;
        this.troubles = troubles;
    }

    public Optional<JsonNode> find(String namespace, String name) {
        return Optional.ofNullable(troubles.call(
                        "read function " + namespace + "/" + name,
                        () -> at(namespace, name).get()))
                .map(this::tree);
    }

    /** Applies as a dry run: fails with what the API server would refuse, before anything is uploaded. */
    public void dryRun(String namespace, ObjectNode document) {
        patch(namespace, document, new PatchContext.Builder().withDryRun(List.of("All")));
    }

    /** Applies the document; returns the resource as the API server stores it. */
    public JsonNode apply(String namespace, ObjectNode document) {
        takeOver(namespace, document.path("metadata").path("name").asText());
        return patch(namespace, document, new PatchContext.Builder());
    }

    /** Takes over the fields of {@code kubectl apply}: the apply then removes those that the document lacks. */
    private void takeOver(String namespace, String name) {
        for (int attempt = 1; ; attempt++) {
            try {
                Optional.ofNullable(at(namespace, name).get())
                        .map(there -> tree(there).path("metadata"))
                        .flatMap(FunctionObjects::takeOverPatch)
                        .ifPresent(patch -> at(namespace, name).patch(PatchContext.of(PatchType.JSON), patch));
                return;
            } catch (KubernetesClientException trouble) {
                // A conflict: the controller wrote the status meanwhile.
                if (trouble.getCode() != 409 || attempt == TRIES) {
                    throw troubles.toFailure("apply function " + namespace + "/" + name, trouble);
                }
            }
        }
    }

    /** The patch; it applies only to the resourceVersion that was read. */
    private static Optional<String> takeOverPatch(JsonNode metadata) {
        ArrayNode patch = Documents.JSON.createArrayNode();
        return ManagedFields.takeOverFromKubectl(metadata.path("managedFields"), MANAGER)
                .map(owners -> {
                    replace(patch, "managedFields", owners);
                    replace(patch, "resourceVersion", metadata.path("resourceVersion"));
                    return patch.toString();
                });
    }

    private static void replace(ArrayNode patch, String key, JsonNode value) {
        patch.addObject().put("op", "replace").put("path", "/metadata/" + key).set("value", value);
    }

    private JsonNode patch(String namespace, ObjectNode document, PatchContext.Builder how) {
        ObjectNode wish = document.deepCopy();
        wish.withObject("metadata").put("namespace", namespace);
        PatchContext patch = how.withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(MANAGER)
                .withForce(true)
                .withFieldValidation("Strict")
                .build();
        var resource = client.getKubernetesSerialization().unmarshal(wish.toString(), GenericKubernetesResource.class);
        String name = resource.getMetadata().getName();
        return tree(troubles.call(
                "apply function " + namespace + "/" + name,
                () -> at(namespace, name).patch(patch, resource)));
    }

    /** Returns whether it existed; the controller cleans up afterwards. */
    public boolean delete(String namespace, String name) {
        return troubles.call(
                "delete function " + namespace + "/" + name,
                () -> !at(namespace, name).delete().isEmpty());
    }

    private Resource<GenericKubernetesResource> at(String namespace, String name) {
        return client.genericKubernetesResources(FUNCTIONS)
                .inNamespace(namespace)
                .withName(name);
    }

    private JsonNode tree(GenericKubernetesResource resource) {
        try {
            return Documents.JSON.readTree(client.getKubernetesSerialization().asJson(resource));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
