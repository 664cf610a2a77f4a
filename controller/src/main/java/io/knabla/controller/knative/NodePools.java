package io.knabla.controller.knative;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Watches Karpenter's NodePools, also if Karpenter is installed or removed while the controller runs. */
final class NodePools implements AutoCloseable {
    private static final String GROUP = "karpenter.sh";
    private static final String VERSION = "v1";
    private static final String PLURAL = "nodepools";

    private final KubernetesClient client;
    private final Runnable changed;
    private final SharedIndexInformer<CustomResourceDefinition> definition;
    private Optional<SharedIndexInformer<GenericKubernetesResource>> pools = Optional.empty();

    NodePools(KubernetesClient client, Runnable changed) {
        this.client = client;
        this.changed = changed;
        definition = Informers.of(
                client.apiextensions().v1().customResourceDefinitions().withName(PLURAL + "." + GROUP),
                NodePools::small);
        definition.addEventHandler(new ChangeHandler<>(_ -> follow()));
    }

    /** Starts the watch; it is retried if it fails. */
    void start() {
        definition.start();
    }

    /** Empty until the first list is complete; an empty list if Karpenter is not installed. */
    synchronized Optional<List<GenericKubernetesResource>> list() {
        if (!definition.hasSynced()) {
            return Optional.empty();
        }
        return isThere()
                ? pools.filter(SharedIndexInformer::hasSynced)
                        .map(informer -> informer.getStore().list())
                : Optional.of(List.of());
    }

    private void follow() {
        Optional<CompletionStage<Void>> begun = adapt();
        changed.run();
        // Changes before the first list is complete are ignored and not repeated: notify again afterwards.
        begun.ifPresent(all -> all.thenRun(changed));
    }

    /** Returns a stage that completes when the first list of a new watch is complete. */
    private synchronized Optional<CompletionStage<Void>> adapt() {
        if (!isThere()) {
            closePools();
        } else if (pools.isEmpty() && definition.isRunning()) {
            pools = Optional.of(pools());
            return Optional.of(pools.get().start());
        }
        return Optional.empty();
    }

    private boolean isThere() {
        return definition.getStore().list().stream()
                .flatMap(it -> it.getSpec().getVersions().stream())
                .anyMatch(it -> it.getName().equals(VERSION) && it.getServed());
    }

    private SharedIndexInformer<GenericKubernetesResource> pools() {
        return Informers.of(
                        client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                                .withGroup(GROUP)
                                .withVersion(VERSION)
                                .withKind("NodePool")
                                .withPlural(PLURAL)
                                .withNamespaced(false)
                                .build()),
                        UnaryOperator.identity())
                .addEventHandler(new ChangeHandler<>(_ -> changed.run()));
    }

    /** Drops the schema, which is long. */
    private static CustomResourceDefinition small(CustomResourceDefinition definition) {
        definition.getSpec().getVersions().forEach(version -> version.setSchema(null));
        return definition;
    }

    private void closePools() {
        pools.ifPresent(SharedIndexInformer::close);
        pools = Optional.empty();
    }

    @Override
    public void close() {
        definition.close();
        synchronized (this) {
            closePools();
        }
    }
}
