package io.knabla.controller.models;

import io.knabla.functions.unit.download.RangeSource;
import io.knabla.storage.ByteRange;
import io.knabla.storage.ExternalAddress;
import io.knabla.storage.ExternalObjects;
import io.knabla.storage.ExternalObjects.StatResult;
import io.knabla.storage.StorageException;
import java.io.InputStream;

/** Reads ranges of one object of another bucket, in the state of one ETag. */
record ExternalSource(ExternalObjects objects, ExternalAddress address, StatResult.Found found) implements RangeSource {

    /** The other bucket failed, not our store. */
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

    /** @throws UnreadableException if the object cannot be read or has changed */
    @Override
    public InputStream open(ByteRange range) {
        try {
            return objects.open(address, found.etag(), range);
        } catch (StorageException refused) {
            throw new UnreadableException(refused);
        }
    }
}
