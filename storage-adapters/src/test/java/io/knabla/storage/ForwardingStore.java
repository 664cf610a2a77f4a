package io.knabla.storage;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Forwards all calls to another store, except those that a test overrides; has no local files and no optional
 * capability.
 */
public class ForwardingStore implements ObjectStore {
    private final ObjectStore below;

    public ForwardingStore(ObjectStore below) {
        this.below = below;
    }

    @Override
    public Optional<StoredObject> read(ObjectKey key) {
        return below.read(key);
    }

    @Override
    public Optional<ObjectInfo> stat(ObjectKey key) {
        return below.stat(key);
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        return below.open(key, range);
    }

    @Override
    public String write(ObjectKey key, Content content) throws IOException {
        return below.write(key, content);
    }

    @Override
    public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
        return below.createOnce(key, content);
    }

    @Override
    public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException {
        return below.replaceIfMatch(key, etag, content);
    }

    @Override
    public Stream<ObjectInfo> list(String prefix) {
        return below.list(prefix);
    }

    @Override
    public boolean delete(ObjectKey key) {
        return below.delete(key);
    }

    @Override
    public String location() {
        return below.location();
    }

    @Override
    public void close() {
        below.close();
    }
}
