package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that a name under which functions are called means one of them in its namespace: a function's own, that under
 * which its model is served, and for each tag {@code TAG-NAME}.
 */
final class CalledNames {
    private CalledNames() {}

    /**
     * A name that is taken.
     *
     * @param by which of the function's names it is, for the sentence; empty for its own
     */
    private record Taken(String name, FunctionId function, String by) {}

    /** @param functions all functions of the platform */
    static List<Fault> faults(FunctionResource resource, Collection<FunctionRecord> functions) {
        var id = new FunctionId(resource.namespace(), resource.name());
        List<Taken> taken = taken(id, functions);
        Optional<String> served = resource.spec().modelInterface().servedName();
        List<Fault> faults = new ArrayList<>();
        faults.addAll(clash("metadata.name", id.name(), taken).stream().toList());
        served.flatMap(name -> clash("spec.servedName", name, taken)).ifPresent(faults::add);
        faults.addAll(ofTags("spec.traffic", resource.spec().traffic(), id, served, functions));
        return faults;
    }

    /**
     * @param path of the split, for the faults
     * @param served name of the function's model, if it is not the function's
     */
    static List<Fault> ofTags(
            String path,
            List<TrafficTarget> traffic,
            FunctionId id,
            Optional<String> served,
            Collection<FunctionRecord> functions) {
        List<Taken> taken =
                Stream.concat(served(id, served), taken(id, functions).stream()).toList();
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < traffic.size(); i++) {
            String place = "%s[%d].tag".formatted(path, i);
            traffic.get(i)
                    .tag()
                    .flatMap(tag -> clash(place, id.tagged(tag).name(), taken))
                    .ifPresent(faults::add);
        }
        return faults;
    }

    private static Optional<Fault> clash(String path, String name, List<Taken> taken) {
        return taken.stream()
                .filter(other -> other.name().equals(name))
                .findFirst()
                .map(other -> new Fault(
                        path,
                        "%s '%s', under which function %s is called already%s; choose another one, or another namespace"
                                .formatted(
                                        path.endsWith(".tag") ? "makes the name" : "found",
                                        name,
                                        other.function(),
                                        other.by())));
    }

    private static List<Taken> taken(FunctionId id, Collection<FunctionRecord> functions) {
        return functions.stream()
                .filter(other -> other.id().namespace().equals(id.namespace()))
                .filter(other -> !other.id().equals(id))
                .flatMap(CalledNames::names)
                .toList();
    }

    private static Stream<Taken> names(FunctionRecord function) {
        FunctionId id = function.id();
        FunctionSpec newest = function.latest().spec();
        return Stream.of(
                        Stream.of(new Taken(id.name(), id, "")),
                        served(id, newest.modelInterface().servedName()),
                        function.traffic().stream().flatMap(target -> tagged(id, target)))
                .flatMap(names -> names);
    }

    private static Stream<Taken> served(FunctionId id, Optional<String> name) {
        return name.stream().map(text -> new Taken(text, id, " (its spec.servedName)"));
    }

    private static Stream<Taken> tagged(FunctionId id, TrafficTarget target) {
        return target.tag().stream()
                .map(tag -> new Taken(id.tagged(tag).name(), id, " (by its tag '%s')".formatted(tag)));
    }
}
