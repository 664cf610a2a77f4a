package io.knabla.controller.gc;

import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Units that keep their blobs: those that versions reference, and young ones.
 *
 * @param needed units that versions run or were built from
 * @param young units with a manifest or a note younger than the grace period, which may reuse old blobs
 */
record RootUnits(Set<Digest> needed, Set<Digest> young) {
    RootUnits {
        needed = Set.copyOf(needed);
        young = Set.copyOf(young);
    }

    static RootUnits of(
            References needs, List<ObjectInfo> objects, Map<ObjectKey, Digest> pointers, Instant now, Duration grace) {
        Set<Digest> needed = new HashSet<>(needs.units().keySet());
        Set<Digest> young = new HashSet<>();
        for (ObjectInfo object : objects) {
            Optional<ObjectKind> kind = ObjectKind.of(object.key());
            boolean fresh = StoreSnapshot.young(object, now, grace);
            if (kind.filter(ObjectKind.UNITS::equals).isPresent()) {
                Digest unit = ObjectKind.UNITS.digest(object.key()).orElseThrow();
                if (needs.files().contains(unit)) {
                    needed.add(unit);
                } else if (fresh) {
                    young.add(unit);
                }
            } else if (fresh && kind.filter(ObjectKind.OPTIMIZED::equals).isPresent()) {
                Optional.ofNullable(pointers.get(object.key())).ifPresent(young::add);
            }
        }
        young.removeAll(needed);
        return new RootUnits(needed, young);
    }

    boolean has(Digest unit) {
        return needed.contains(unit) || young.contains(unit);
    }

    /** Reason why objects of this unit are kept, or {@code otherwise}. */
    Reason of(Digest unit, Reason otherwise) {
        if (needed.contains(unit)) {
            return Reason.NEEDED;
        }
        return young.contains(unit) ? Reason.YOUNG : otherwise;
    }
}
