package io.knabla.controller.gc;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.StateKeys;
import io.knabla.controller.catalog.Version;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Units, files and states that the versions of a catalog reference, including versions without traffic: a rollback may
 * use them.
 *
 * @param units units that versions run, each with one of those versions, for people
 * @param files files that versions were built from; {@code spec.model} may name a unit instead of a file
 * @param states weights of training steps
 */
record References(Map<Digest, String> units, Set<Digest> files, Set<ObjectKey> states) {
    private static final String DIGEST = "sha256:";

    References {
        units = Map.copyOf(units);
        files = Set.copyOf(files);
        states = Set.copyOf(states);
    }

    static References of(List<FunctionRecord> functions) {
        Map<Digest, String> units = new TreeMap<>((a, b) -> a.value().compareTo(b.value()));
        Set<Digest> files = new HashSet<>();
        Set<ObjectKey> states = new HashSet<>();
        for (FunctionRecord function : functions) {
            for (Version version : function.versions()) {
                units.putIfAbsent(version.unit(), "version %d of %s".formatted(version.number(), function.id()));
                files.add(version.model());
                files.addAll(files(version.spec()));
                StateKeys.of(function.id(), version).ifPresent(states::add);
            }
        }
        return new References(new HashMap<>(units), files, states);
    }

    private static List<Digest> files(FunctionSpec spec) {
        return Stream.of(
                        Stream.of(spec.model()),
                        spec.externalData().values().stream(),
                        spec.quantize().calibration().stream())
                .flatMap(texts -> texts)
                .filter(text -> text.startsWith(DIGEST))
                .flatMap(References::digest)
                .toList();
    }

    private static Stream<Digest> digest(String text) {
        try {
            return Stream.of(new Digest(text));
        } catch (IllegalArgumentException malformed) {
            // The catalog holds only deployed specs, so this is not the digest of a stored file.
            return Stream.empty();
        }
    }
}
