package io.knabla.controller.knative;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;

/** Karpenter in a mock of the API server. */
public final class Karpenter {
    private Karpenter() {}

    public static CustomResourceDefinition definition(String version) {
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName("nodepools.karpenter.sh")
                .endMetadata()
                .withNewSpec()
                .withGroup("karpenter.sh")
                .withScope("Cluster")
                .withNewNames()
                .withKind("NodePool")
                .withPlural("nodepools")
                .endNames()
                .addNewVersion()
                .withName(version)
                .withServed(true)
                .withStorage(true)
                .endVersion()
                .endSpec()
                .build();
    }

    /** @param template of the pool's nodes, as YAML of one line */
    public static void createNodePool(KubernetesClient client, String template) {
        client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup("karpenter.sh")
                        .withVersion("v1")
                        .withKind("NodePool")
                        .withPlural("nodepools")
                        .withNamespaced(false)
                        .build())
                .resource(Serialization.unmarshal("""
                                apiVersion: karpenter.sh/v1
                                kind: NodePool
                                metadata: {name: pool}
                                spec:
                                  template: %s
                                """.formatted(template), GenericKubernetesResource.class))
                .create();
    }
}
