package io.knabla.storage.s3;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.direct.DirectReader;
import io.knabla.storage.s3.faults.S3Location;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Opens the S3 client on first use, and reads streams without it where that is possible. A process that finds
 * everything in its local cache does not even read the settings; one that only fetches a unit never loads the SDK.
 */
final class S3LazyStore implements ObjectStore {
    private final String location;
    private final Map<String, String> environment;
    private Optional<DirectReader> direct;
    private ObjectStore opened;

    S3LazyStore(String location, Map<String, String> environment) {
        this.location = location;
        this.environment = environment;
    }

    private synchronized ObjectStore store() {
        if (opened == null) {
            opened = S3ObjectStore.open(location, environment);
        }
        return opened;
    }

    private synchronized Optional<DirectReader> direct() {
        if (direct == null) {
            direct = DirectReader.of(
                    S3Location.parse(location), S3Settings.of(environment), environment, InstantSource.system());
        }
        return direct;
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
        if (range.length() == 0) {
            return store().open(key, range);
        }
        return direct().flatMap(reader -> reader.open(key, S3Ranges.header(range)))
                .or(() -> store().open(key, range));
    }

    @Override
    public int parallelism() {
        return S3Ranges.AT_ONCE;
    }

    @Override
    public Optional<Path> localPath(ObjectKey key) {
        return Optional.empty();
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
