package io.knabla.functions.unit;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import io.knabla.storage.file.FileObjectStore;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A store that many processes share and that gives nobody a file; counts the blobs' bytes that leave it. */
final class RemoteStore implements ObjectStore {
    final AtomicLong blobBytes = new AtomicLong();
    private final ObjectStore below;

    RemoteStore(Path folder) {
        below =
                Files.isDirectory(folder)
                        ? FileObjectStore.openToRead(folder)
                        : FileObjectStore.open(folder);
    }

    @Override
    public int parallelism() {
        return 2;
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        return below.open(key, range).map(in -> key.path().startsWith("blobs/") ? counted(in) : in);
    }

    private InputStream counted(InputStream below) {
        return new FilterInputStream(below) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                int read = in.read(bytes, offset, length);
                blobBytes.addAndGet(Math.max(0, read));
                return read;
            }
        };
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
        return below.location();
    }

    @Override
    public void close() {
        below.close();
    }
}
