package io.knabla.storage.s3;

import io.knabla.storage.ObjectKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The lineages of objects seen last, so that a read and a replace after it are two requests, not three. */
final class Lineages {
    /** About 1 KB each. */
    private static final int MOST = 512;

    private record Version(ObjectKey key, String etag) {}

    private final Map<Version, Lineage> seen = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, Lineage> eldest) {
            return size() > MOST;
        }
    };

    synchronized void saw(ObjectKey key, String etag, Lineage lineage) {
        seen.put(new Version(key, etag), lineage);
    }

    synchronized Optional<Lineage> of(ObjectKey key, String etag) {
        return Optional.ofNullable(seen.get(new Version(key, etag)));
    }
}
