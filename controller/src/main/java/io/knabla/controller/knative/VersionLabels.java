package io.knabla.controller.knative;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.platform.VersionKey;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Says by labels which function and which version a Revision or a pod belongs to. */
public final class VersionLabels {
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,8}");

    private VersionLabels() {}

    public static Map<String, String> of(VersionKey version) {
        return Map.of(Labels.FUNCTION, version.function().name(), Labels.VERSION, Integer.toString(version.version()));
    }

    /** The version that an object belongs to; empty without both labels. */
    public static Optional<VersionKey> version(HasMetadata object) {
        return function(object)
                .flatMap(function -> label(object, Labels.VERSION)
                        .filter(NUMBER.asMatchPredicate())
                        .map(number -> new VersionKey(function, Integer.parseInt(number))));
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
