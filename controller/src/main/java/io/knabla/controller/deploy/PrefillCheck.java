package io.knabla.controller.deploy;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.Version;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.UnitException;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.generation.KeyValueDigest;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks that the function that {@code spec.generation.prefill} names can read prompts for those that name it. */
@Singleton
final class PrefillCheck {
    private static final String WARNING =
            "spec.generation.prefill.function: %s; until it %s, replicas read prompts themselves";
    private static final String OF_SENDER =
            "function '%s' sends its prompts to this one, but computes other keys and values; until it %s, its replicas read prompts themselves";
    private static final String HAS_THE_SAME =
            "has the same model, quantize, generation.contextLength and generation.kvCache.type";

    private final Catalog catalog;
    private final UnitStore units;

    PrefillCheck(Catalog catalog, ObjectStore store) {
        this.catalog = catalog;
        this.units = new UnitStore(store);
    }

    /** A function that names itself would send its prompts to itself, and count their tokens twice. */
    static List<Fault> faults(FunctionResource resource) {
        return resource
                .spec()
                .generation()
                .prefill()
                .filter(prefill -> prefill.function().equals(resource.name()))
                .map(_ -> new Fault(
                        "spec.generation.prefill.function",
                        "found '%s', which is this function; name another one, or leave prefill out: then replicas read their own prompts"
                                .formatted(resource.name())))
                .stream()
                .toList();
    }

    /**
     * A sentence for each function that reads its prompts itself though another one is named for it: for this one, and
     * for those that name it. They may be deployed in any order.
     *
     * @param unit of the function's next version
     */
    List<String> warnings(FunctionResource resource, Digest unit) {
        return Stream.concat(ofReader(resource, unit).stream(), ofSenders(resource, unit))
                .toList();
    }

    private Optional<String> ofReader(FunctionResource resource, Digest unit) {
        return resource.spec()
                .generation()
                .prefill()
                .map(prefill -> new FunctionId(resource.namespace(), prefill.function()))
                .flatMap(reader -> warning(reader, unit));
    }

    private Stream<String> ofSenders(FunctionResource reader, Digest unit) {
        return catalog.list().stream()
                .filter(function -> function.id().namespace().equals(reader.namespace()))
                .filter(function ->
                        sendsPromptsTo(reader.name(), function.latest().spec()))
                .filter(function -> differ(function.latest().unit(), unit))
                .map(function -> OF_SENDER.formatted(function.id().name(), HAS_THE_SAME));
    }

    private static boolean sendsPromptsTo(String reader, FunctionSpec sender) {
        return sender.generation()
                .prefill()
                .filter(prefill -> prefill.function().equals(reader))
                .isPresent();
    }

    private Optional<String> warning(FunctionId id, Digest unit) {
        var found = catalog.find(id);
        if (found.isEmpty()) {
            return warning("there is no function '%s' in namespace %s".formatted(id.name(), id.namespace()), "exists");
        }
        Version reader = found.get().latest();
        if (!reader.spec().streamsAnswers()) {
            return warning(
                    "function '%s' is of type %s"
                            .formatted(id.name(), reader.spec().type()),
                    "is of type Generation");
        }
        return differ(reader.unit(), unit)
                ? warning("function '%s' computes other keys and values".formatted(id.name()), HAS_THE_SAME)
                : Optional.empty();
    }

    private static Optional<String> warning(String trouble, String until) {
        return Optional.of(WARNING.formatted(trouble, until));
    }

    private boolean differ(Digest one, Digest other) {
        return keyValues(one)
                .filter(keyValues -> keyValues(other).filter(keyValues::equals).isEmpty())
                .isPresent();
    }

    /** Empty for a unit that cannot be read: its own replicas tell of it. */
    private Optional<KeyValueDigest> keyValues(Digest unit) {
        try {
            return Optional.of(units.read(unit))
                    .filter(FileManifest.class::isInstance)
                    .map(FileManifest.class::cast)
                    .map(KeyValueDigest::of);
        } catch (UnitException unusable) {
            return Optional.empty();
        }
    }
}
