package io.knabla.controller.gc;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Asks a store what time it is, by having it date something: the clock that dates all objects alike. */
final class StoreClock {
    private static final ObjectKey KEY = new ObjectKey("gc/clock.json");
    private static final byte[] NOTE = "{\"schema\": 1, \"note\": \"the store's time is read from this object's date\"}"
            .getBytes(StandardCharsets.UTF_8);

    private final ObjectStore store;

    StoreClock(ObjectStore store) {
        this.store = store;
    }

    /** When others ask at once the answer may be of their writing: later than ours, and not yet past. */
    Instant now() {
        try {
            store.write(KEY, Content.of(NOTE));
        } catch (IOException impossible) {
            throw new UncheckedIOException("bytes in memory must be readable", impossible);
        }
        return store.stat(KEY)
                .map(ObjectInfo::modified)
                .orElseThrow(() -> new StorageException(
                        "'%s' in the store %s went away while it was read; who deletes there?"
                                .formatted(KEY, store.location()),
                        null));
    }
}
