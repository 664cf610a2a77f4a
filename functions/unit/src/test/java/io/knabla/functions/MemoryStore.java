package io.knabla.functions;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/** A store in memory that remembers the order of its writes. */
public class MemoryStore implements ObjectStore {
    public final ConcurrentSkipListMap<ObjectKey, byte[]> objects = new ConcurrentSkipListMap<>();
    public final List<ObjectKey> writes = new ArrayList<>();

    @Override
    public Optional<StoredObject> read(ObjectKey key) {
        return Optional.ofNullable(objects.get(key)).map(b -> new StoredObject(b, etag(b)));
    }

    @Override
    public Optional<ObjectInfo> stat(ObjectKey key) {
        return Optional.ofNullable(objects.get(key)).map(b -> info(key, b));
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        return Optional.ofNullable(objects.get(key)).map(b -> {
            int from = (int) Math.min(b.length, range.offset());
            int length = (int) Math.min(b.length - from, range.length());
            return new ByteArrayInputStream(b, from, length);
        });
    }

    @Override
    public synchronized String write(ObjectKey key, Content content) throws IOException {
        byte[] bytes;
        try (InputStream in = content.open()) {
            bytes = in.readAllBytes();
        }
        if (bytes.length != content.size()) {
            throw new IOException("content gave another size than it promised");
        }
        objects.put(key, bytes);
        writes.add(key);
        return etag(bytes);
    }

    @Override
    public synchronized Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
        return objects.containsKey(key) ? Optional.empty() : Optional.of(write(key, content));
    }

    @Override
    public synchronized Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content)
            throws IOException {
        byte[] there = objects.get(key);
        return there == null || !etag(there).equals(etag) ? Optional.empty() : Optional.of(write(key, content));
    }

    @Override
    public Stream<ObjectInfo> list(String prefix) {
        return objects.entrySet().stream()
                .filter(e -> e.getKey().path().startsWith(prefix))
                .map(e -> info(e.getKey(), e.getValue()));
    }

    @Override
    public boolean delete(ObjectKey key) {
        return objects.remove(key) != null;
    }

    @Override
    public String location() {
        return "memory:";
    }

    @Override
    public void close() {}

    private static ObjectInfo info(ObjectKey key, byte[] bytes) {
        return new ObjectInfo(key, bytes.length, etag(bytes), Instant.EPOCH);
    }

    private static String etag(byte[] bytes) {
        return Integer.toHexString(Arrays.hashCode(bytes));
    }
}
