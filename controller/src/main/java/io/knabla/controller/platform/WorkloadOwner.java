package io.knabla.controller.platform;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.functions.spec.FunctionResource;
import java.util.Locale;
import java.util.Optional;

/**
 * Identifies what a workload belongs to: a version of a function, or an object of another kind.
 *
 * @param kind of the object, as its {@code kind:} has it, such as {@code Function}
 * @param number of its version, or of its run; at least 1
 */
public record WorkloadOwner(String kind, String namespace, String name, int number) {
    public static WorkloadOwner of(VersionKey version) {
        FunctionId function = version.function();
        return new WorkloadOwner(FunctionResource.KIND, function.namespace(), function.name(), version.version());
    }

    /** The version of a function; empty for another kind. */
    public Optional<VersionKey> version() {
        return function().map(function -> new VersionKey(function, number));
    }

    /** The function; empty for another kind. */
    public Optional<FunctionId> function() {
        return Optional.of(new FunctionId(namespace, name)).filter(_ -> kind.equals(FunctionResource.KIND));
    }

    /**
     * Name under which its usage is recorded: a function's own, else with the kind, such as {@code training/digits},
     * which no function can have.
     */
    public String recordedName() {
        return function().isPresent() ? name : kind.toLowerCase(Locale.ROOT) + "/" + name;
    }
}
