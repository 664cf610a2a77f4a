package io.knabla.storage.s3;

import io.knabla.storage.ObjectKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Caches lineages of recently used objects: a read and the following replace take two requests, not three. */
final class LineageCache {
    /** About 1 KB each. */
    private static final int MOST = 512;

    private record Version(ObjectKey key, String etag) {}

    private final Map<Version, Lineage> seen = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, Lineage> eldest) {
            return size() > MOST;
        }
    };

    synchronized void put(ObjectKey key, String etag, Lineage lineage) {
        seen.put(new Version(key, etag), lineage);
    }

    synchronized Optional<Lineage> get(ObjectKey key, String etag) {
        return Optional.ofNullable(seen.get(new Version(key, etag)));
    }
}
