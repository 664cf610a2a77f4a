package io.knabla.controller.cli.doctor.store;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.stream.Stream;

/** Works, but for one promise that a test breaks. */
class UnfitStore implements ObjectStore {
    private final ObjectStore below = new MemoryObjectStore();

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
    public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content)
            throws IOException {
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
        return "memory:///";
    }

    @Override
    public void close() {
        below.close();
    }
}
