package io.knabla.controller.cluster.knative.manifest;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.ConfigurationBuilder;
import io.fabric8.knative.serving.v1.RevisionSpec;
import io.fabric8.knative.serving.v1.RevisionTemplateSpec;
import io.fabric8.knative.serving.v1.RevisionTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.cluster.knative.Labels;
import java.util.Map;
import java.util.TreeMap;

/** The objects around a pod: what it is called, labelled and owned by. */
final class Templates {
    /** Knabla itself deletes the revisions that nobody needs any more. */
    private static final String KEEP = "serving.knative.dev/no-gc";

    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    private Templates() {}

    static Map<String, String> identity(FunctionId function, int version, Slot slot) {
        Map<String, String> labels = new TreeMap<>(slot.labels());
        labels.put(Labels.FUNCTION, function.name());
        labels.put(Labels.VERSION, Integer.toString(version));
        return labels;
    }

    static ObjectMeta metadata(FunctionId function, String name, OwnerReference owner) {
        return new ObjectMetaBuilder()
                .withNamespace(function.namespace())
                .withName(name)
                .addToLabels(Labels.FUNCTION, function.name())
                .addToLabels(MANAGED_BY, Labels.MANAGER)
                .withOwnerReferences(owner)
                .build();
    }

    /**
     * The whole of a revision but its scale bounds, which never change what it is; named by its content, so that the
     * same wish always finds the same revision.
     */
    static RevisionTemplateSpec template(FunctionId function, int version, Slot slot, RevisionSpec pod) {
        RevisionTemplateSpec unnamed = new RevisionTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(identity(function, version, slot))
                .addToLabels(MANAGED_BY, Labels.MANAGER)
                .addToAnnotations(KEEP, "true")
                // Whatever the cluster's default is, the bounds below are of this one.
                .addToAnnotations(Bounds.PREFIX + "class", "kpa.autoscaling.knative.dev")
                .endMetadata()
                .withSpec(pod)
                .build();
        return new RevisionTemplateSpecBuilder(unnamed)
                .editMetadata()
                .withName(Names.revision(
                        Names.configuration(function.name(), slot), version, Serialization.asJson(unnamed)))
                .endMetadata()
                .build();
    }

    static Configuration configuration(
            FunctionId function, Slot slot, OwnerReference owner, RevisionTemplateSpec template, Bounds bounds) {
        return new ConfigurationBuilder()
                .withMetadata(metadata(function, Names.configuration(function.name(), slot), owner))
                .editMetadata()
                .addToLabels(slot.labels())
                .endMetadata()
                .withNewSpec()
                .withTemplate(new RevisionTemplateSpecBuilder(template)
                        .editMetadata()
                        .addToAnnotations(bounds.annotations())
                        .endMetadata()
                        .build())
                .endSpec()
                .build();
    }
}
