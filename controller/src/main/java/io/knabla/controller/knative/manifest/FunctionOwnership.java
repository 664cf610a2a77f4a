package io.knabla.controller.knative.manifest;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.functions.spec.FunctionResource;
import java.util.stream.Stream;

/**
 * Checks by owner references whether Knabla created an object for a function, or for an earlier function of the same
 * name. The label alone proves nothing: people set it on their own objects, and Knative copies it.
 */
public record FunctionOwnership(FunctionId function) {
    private static final String KNATIVE = "serving.knative.dev";

    public boolean matches(Configuration configuration) {
        return belongs(configuration);
    }

    public boolean matches(Route route) {
        return route.getMetadata().getName().equals(function.name()) && belongs(route);
    }

    public boolean matches(Revision revision) {
        return owners(revision)
                .filter(owner -> matches(owner, KNATIVE, "Configuration"))
                .anyMatch(owner -> CapacitySlot.of(revision.getMetadata().getLabels())
                        .map(slot -> Names.configuration(function.name(), slot))
                        .filter(owner.getName()::equals)
                        .isPresent());
    }

    private boolean belongs(HasMetadata object) {
        return owners(object)
                .filter(owner -> matches(owner, Labels.GROUP, FunctionResource.KIND))
                .anyMatch(owner -> owner.getName().equals(function.name()));
    }

    private static boolean matches(OwnerReference owner, String group, String kind) {
        return owner.getApiVersion().startsWith(group + "/") && owner.getKind().equals(kind);
    }

    private static Stream<OwnerReference> owners(HasMetadata object) {
        return Stream.ofNullable(object.getMetadata().getOwnerReferences()).flatMap(owners -> owners.stream());
    }
}
