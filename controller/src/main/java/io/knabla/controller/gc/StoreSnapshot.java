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
 * State of one store on which the {@link Marker} decides.
 *
 * @param now by the store's clock, which dated the objects
 * @param grace younger objects are kept
 * @param objects under the prefixes of {@link ObjectKind}, listed before the catalog was read
 * @param pointers digests that notes refer to: the unit of an {@code optimized/} note, the model of a {@code sources/}
 *     note; an unreadable note refers to nothing
 * @param extraFiles files that a unit was built from and that its version's spec does not name
 * @param units contents of the units in {@link RootUnits}
 */
record StoreSnapshot(
        Instant now,
        Duration grace,
        List<ObjectInfo> objects,
        References references,
        Map<ObjectKey, Digest> pointers,
        Map<Digest, Set<Digest>> extraFiles,
        Map<Digest, Contents> units) {

    /** Blobs of a unit, or why its manifest cannot be read. */
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
