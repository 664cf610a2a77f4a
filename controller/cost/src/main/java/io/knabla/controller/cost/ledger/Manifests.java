package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads and replaces the manifests of a store. */
final class Manifests {
    private final ObjectStore store;

    Manifests(ObjectStore store) {
        this.store = store;
    }

    /** What is known of an hour's manifest. */
    sealed interface Found {
        /** @param etag empty if there is none yet; the manifest is then {@link Manifest#EMPTY} */
        record Readable(Manifest manifest, Optional<String> etag) implements Found {}

        record Damaged(LedgerDamage damage) implements Found {}
    }

    Found read(Hour hour) {
        try {
            Optional<StoredObject> stored = store.read(hour.manifest());
            return stored.isEmpty() ? new Found.Readable(Manifest.EMPTY, Optional.empty()) : decode(stored.get());
        } catch (IOException bad) {
            return damaged(hour, bad);
        } catch (StorageException failed) {
            if (failed.isOfOneObject()) {
                return damaged(hour, failed);
            }
            throw failed;
        }
    }

    private static Found decode(StoredObject stored) throws IOException {
        return new Found.Readable(ManifestJson.decode(stored.bytes()), Optional.of(stored.etag()));
    }

    private static Found damaged(Hour hour, Exception bad) {
        return new Found.Damaged(new LedgerDamage(hour.manifest().path(), LedgerDamage.Type.CORRUPT, bad.getMessage()));
    }

    /** Replaces what was read; returns what is stored then, or empty if somebody else replaced it meanwhile. */
    Optional<Found.Readable> replace(Hour hour, Found.Readable read, Manifest next) {
        Content content = Content.of(ManifestJson.encode(next));
        try {
            Optional<String> written = read.etag().isPresent()
                    ? store.replaceIfMatch(hour.manifest(), read.etag().get(), content)
                    : store.createOnce(hour.manifest(), content);
            return written.map(etag -> new Found.Readable(next, Optional.of(etag)));
        } catch (IOException impossible) {
            throw new IllegalStateException("bytes in memory could not be read for " + hour.manifest(), impossible);
        }
    }

    /** Lists the hours that have a manifest, in order. */
    SortedMap<Hour, ObjectInfo> list() {
        SortedMap<Hour, ObjectInfo> hours = new TreeMap<>();
        try (Stream<ObjectInfo> objects = store.list(Hour.manifests())) {
            objects.forEach(object -> Hour.ofManifest(object.key()).ifPresent(hour -> hours.put(hour, object)));
        }
        return hours;
    }
}
