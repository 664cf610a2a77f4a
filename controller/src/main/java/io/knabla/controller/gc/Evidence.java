package io.knabla.controller.gc;

import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that a judgement rests on, read from one store.
 *
 * @param now by the store's own clock, the one that dated the objects
 * @param grace younger objects stay
 * @param objects what lies under the prefixes that {@link Kind} names, listed before the catalog was read
 * @param pointers what notes name: the unit of an {@code optimized/} note, the model of a {@code sources/} note; a note
 *     that cannot be read names nothing
 * @param further files that a unit's version was made from and its spec does not name
 * @param units contents of the units that {@link Roots} found
 */
record Evidence(
        Instant now,
        Duration grace,
        List<ObjectInfo> objects,
        Needs needs,
        Map<ObjectKey, Digest> pointers,
        Map<Digest, Set<Digest>> further,
        Map<Digest, Contents> units) {

    /** What a unit consists of. */
    sealed interface Contents {
        record Blobs(Set<Digest> digests) implements Contents {}

        record Unreadable(String why) implements Contents {}
    }

    boolean young(ObjectInfo object) {
        return young(object, now, grace);
    }

    static boolean young(ObjectInfo object, Instant now, Duration grace) {
        return Duration.between(object.modified(), now).compareTo(grace) < 0;
    }

    Optional<Digest> pointer(ObjectKey note) {
        return Optional.ofNullable(pointers.get(note));
    }
}
