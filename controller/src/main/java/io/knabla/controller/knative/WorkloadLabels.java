package io.knabla.controller.knative;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.platform.WorkloadOwner;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Says by labels what a Revision or a pod belongs to: a version of a function, or an object of another kind. */
public final class WorkloadLabels {
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,8}");

    private WorkloadLabels() {}

    public static Map<String, String> of(VersionKey version) {
        return Map.of(Labels.FUNCTION, version.function().name(), Labels.VERSION, Integer.toString(version.version()));
    }

    /** The version that an object belongs to; empty without both labels. */
    public static Optional<VersionKey> version(HasMetadata object) {
        return function(object).flatMap(function -> number(object).map(number -> new VersionKey(function, number)));
    }

    /** What a pod belongs to; empty without the labels of a version or of another kind of object. */
    public static Optional<WorkloadOwner> owner(HasMetadata object) {
        return version(object).map(WorkloadOwner::of).or(() -> ownerOfOtherKind(object));
    }

    private static Optional<WorkloadOwner> ownerOfOtherKind(HasMetadata object) {
        return label(object, Labels.KIND)
                .flatMap(kind -> label(object, Labels.OWNER)
                        .flatMap(name -> number(object)
                                .map(number -> new WorkloadOwner(
                                        kind, object.getMetadata().getNamespace(), name, number))));
    }

    private static Optional<Integer> number(HasMetadata object) {
        return label(object, Labels.VERSION).filter(NUMBER.asMatchPredicate()).map(Integer::valueOf);
    }

    /** The function that an object belongs to; empty without its label. */
    public static Optional<FunctionId> function(HasMetadata object) {
        return label(object, Labels.FUNCTION)
                .map(name -> new FunctionId(object.getMetadata().getNamespace(), name));
    }

    private static Optional<String> label(HasMetadata object, String name) {
        return Optional.ofNullable(object.getMetadata().getLabels()).map(labels -> labels.get(name));
    }
}
