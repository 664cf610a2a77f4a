package io.knabla.storage.setup;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Opens the store on first use. A process that finds everything in its local cache never loads the S3 client. */
final class LazyStore implements ObjectStore {
    private final String location;
    private final Supplier<ObjectStore> opening;
    private ObjectStore opened;

    LazyStore(String location, Supplier<ObjectStore> opening) {
        this.location = location;
        this.opening = opening;
    }

    private synchronized ObjectStore store() {
        if (opened == null) {
            opened = opening.get();
        }
        return opened;
    }

    @Override
    public Optional<StoredObject> read(ObjectKey key) {
        return store().read(key);
    }

    @Override
    public Optional<ObjectInfo> stat(ObjectKey key) {
        return store().stat(key);
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        return store().open(key, range);
    }

    @Override
    public int parallelism() {
        return store().parallelism();
    }

    @Override
    public Optional<Path> localPath(ObjectKey key) {
        return store().localPath(key);
    }

    @Override
    public String write(ObjectKey key, Content content) throws IOException {
        return store().write(key, content);
    }

    @Override
    public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
        return store().createOnce(key, content);
    }

    @Override
    public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException {
        return store().replaceIfMatch(key, etag, content);
    }

    @Override
    public Stream<ObjectInfo> list(String prefix) {
        return store().list(prefix);
    }

    @Override
    public boolean delete(ObjectKey key) {
        return store().delete(key);
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public synchronized void close() {
        if (opened != null) {
            opened.close();
        }
    }
}
