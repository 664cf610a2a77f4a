package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Checks that a model's served name means one function in its namespace. */
final class ServedNames {
    private ServedNames() {}

    /** @param functions all functions of the platform */
    static List<Fault> faults(FunctionResource resource, Collection<FunctionRecord> functions) {
        Optional<String> served = resource.spec().modelInterface().servedName();
        return functions.stream()
                .filter(other -> other.id().namespace().equals(resource.namespace()))
                .filter(other -> !other.id().name().equals(resource.name()))
                .flatMap(other -> clash(resource, served, other).stream())
                .toList();
    }

    private static Optional<Fault> clash(FunctionResource resource, Optional<String> served, FunctionRecord other) {
        Optional<String> theirs = other.latest().spec().modelInterface().servedName();
        if (served.isPresent()
                && (served.equals(theirs) || served.get().equals(other.id().name()))) {
            return Optional.of(new Fault(
                    "spec.servedName",
                    "found '%s', under which function %s is served already; choose another name, or another namespace"
                            .formatted(served.get(), other.id())));
        }
        return theirs.filter(resource.name()::equals)
                .map(name -> new Fault(
                        "metadata.name",
                        "found '%s', under which function %s is served already (its spec.servedName); choose another name, or another namespace"
                                .formatted(name, other.id())));
    }
}
