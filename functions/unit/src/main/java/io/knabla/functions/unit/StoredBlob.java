package io.knabla.functions.unit;

import io.knabla.functions.unit.download.RangeSource;
import io.knabla.storage.ByteRange;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.InputStream;

/** A blob in an object store, readable by byte ranges. */
public record StoredBlob(ObjectStore store, Blob blob) implements RangeSource {
    @Override
    public long size() {
        return blob.size();
    }

    @Override
    public String name() {
        return "'%s' in %s".formatted(key(), store.location());
    }

    @Override
    public InputStream open(ByteRange range) {
        return store.open(key(), range).orElseThrow(() -> UnitException.absent(key(), store.location()));
    }

    ObjectKey key() {
        return UnitStore.blobKey(blob.digest());
    }
}
