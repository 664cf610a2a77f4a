package io.knabla.controller.deploy;

import io.knabla.functions.unit.download.RangeSource;
import io.knabla.storage.ByteRange;
import io.knabla.storage.ForeignAddress;
import io.knabla.storage.ForeignObjects;
import io.knabla.storage.ForeignObjects.Look;
import io.knabla.storage.StorageException;
import java.io.InputStream;

/** One state of an object, to be fetched in ranges. */
record ForeignSource(ForeignObjects objects, ForeignAddress address, Look.Found found) implements RangeSource {

    /** That bucket's fault, not ours. */
    static final class UnreadableException extends RuntimeException {
        private UnreadableException(StorageException cause) {
            super(cause.getMessage(), cause);
        }
    }

    @Override
    public long size() {
        return found.size();
    }

    @Override
    public String name() {
        return address.toString();
    }

    /** @throws UnreadableException where that state cannot be read, or is no more */
    @Override
    public InputStream open(ByteRange range) {
        try {
            return objects.open(address, found.etag(), range);
        } catch (StorageException refused) {
            throw new UnreadableException(refused);
        }
    }
}
