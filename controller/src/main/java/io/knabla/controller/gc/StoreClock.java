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

/** Reads the store's clock, which dates all objects, by writing an object and reading its date. */
final class StoreClock {
    private static final ObjectKey KEY = new ObjectKey("gc/clock.json");
    private static final byte[] NOTE = "{\"schema\": 1, \"note\": \"the store's time is read from this object's date\"}"
            .getBytes(StandardCharsets.UTF_8);

    private final ObjectStore store;

    StoreClock(ObjectStore store) {
        this.store = store;
    }

    /**
     * With concurrent callers the date may come from another caller's write: later than ours, but never in the future.
     */
    Instant now() {
        try {
            store.write(KEY, Content.of(NOTE));
        } catch (IOException impossible) {
            throw new UncheckedIOException("bytes in memory must be readable", impossible);
        }
        return store.stat(KEY)
                .map(ObjectInfo::modified)
                .orElseThrow(() -> new StorageException(
                        StorageException.Kind.BAD_OBJECT,
                        "'%s' in the store %s was deleted while it was read;".formatted(KEY, store.location()),
                        "find out what deletes objects there"));
    }
}
