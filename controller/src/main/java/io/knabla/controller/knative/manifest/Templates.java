package io.knabla.controller.knative.manifest;

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
import io.knabla.controller.catalog.Version;
import io.knabla.controller.knative.WorkloadLabels;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.platform.VersionKey;
import java.util.Map;
import java.util.TreeMap;

/** Builds Configurations and revision templates around a pod spec: names, labels and owner references. */
final class Templates {
    /** Disables Knative's garbage collection of revisions: Knabla deletes obsolete ones itself. */
    private static final String KEEP = "serving.knative.dev/no-gc";

    /**
     * Lets Knative's proxies read on from a request when its answer has begun. Otherwise they close the request then,
     * and one that has not seen its end yet takes that for a fault and cuts the answer off (golang/go#40747).
     */
    private static final String FULL_DUPLEX = "features.knative.dev/http-full-duplex";

    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    private Templates() {}

    static Map<String, String> identity(FunctionId function, int version, CapacitySlot slot) {
        Map<String, String> labels = new TreeMap<>(slot.labels());
        labels.putAll(WorkloadLabels.of(new VersionKey(function, version)));
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
     * Builds a revision's template without its scale bounds, which do not belong to its identity. A hash of the content
     * is part of the name: equal content always gives the same revision.
     */
    static RevisionTemplateSpec template(FunctionId function, Version version, CapacitySlot slot, RevisionSpec pod) {
        RevisionTemplateSpec unnamed = new RevisionTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(identity(function, version.number(), slot))
                .addToLabels(MANAGED_BY, Labels.MANAGER)
                .addToLabels(PrefillPods.labels(version.spec()))
                .addToAnnotations(KEEP, "true")
                // The scale annotations are those of the KPA, whatever the cluster's default autoscaler is.
                .addToAnnotations(ScaleAnnotations.PREFIX + "class", "kpa.autoscaling.knative.dev")
                .addToAnnotations(version.spec().streamsAnswers() ? Map.of(FULL_DUPLEX, "Enabled") : Map.of())
                .endMetadata()
                .withSpec(pod)
                .build();
        return new RevisionTemplateSpecBuilder(unnamed)
                .editMetadata()
                .withName(Names.revision(
                        Names.configuration(function.name(), slot), version.number(), Serialization.asJson(unnamed)))
                .endMetadata()
                .build();
    }

    static Configuration configuration(
            FunctionId function,
            CapacitySlot slot,
            OwnerReference owner,
            RevisionTemplateSpec template,
            ScaleAnnotations bounds) {
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
