package io.knabla.storage.memory;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.StoredObject;
import io.knabla.storage.WrongSizeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Stores objects on the heap; they are lost when the process ends. */
public final class MemoryObjectStore implements ObjectStore {
    private record Entry(byte[] bytes, String etag, Instant modified) {}

    private final ConcurrentSkipListMap<ObjectKey, Entry> entries = new ConcurrentSkipListMap<>();
    private final AtomicLong writes = new AtomicLong();
    private final InstantSource clock;

    public MemoryObjectStore() {
        this(InstantSource.system());
    }

    public MemoryObjectStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Optional<StoredObject> read(ObjectKey key) {
        return Optional.ofNullable(entries.get(key))
                .map(entry -> new StoredObject(entry.bytes().clone(), entry.etag()));
    }

    @Override
    public Optional<ObjectInfo> stat(ObjectKey key) {
        return Optional.ofNullable(entries.get(key)).map(entry -> info(key, entry));
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        return Optional.ofNullable(entries.get(key)).map(entry -> cut(entry.bytes(), range));
    }

    private static InputStream cut(byte[] bytes, ByteRange range) {
        int offset = (int) Math.min(range.offset(), bytes.length);
        int length = (int) Math.min(range.length(), bytes.length - offset);
        return new ByteArrayInputStream(bytes, offset, length);
    }

    @Override
    public String write(ObjectKey key, Content content) throws IOException {
        Entry entry = entry(key, content);
        entries.put(key, entry);
        return entry.etag();
    }

    @Override
    public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
        Entry entry = entry(key, content);
        return entries.putIfAbsent(key, entry) == null ? Optional.of(entry.etag()) : Optional.empty();
    }

    @Override
    public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException {
        Entry replacement = entry(key, content);
        Entry now = entries.get(key);
        // Entries compare by identity of their bytes, so replace() succeeds only over this one.
        return now != null && now.etag().equals(etag) && entries.replace(key, now, replacement)
                ? Optional.of(replacement.etag())
                : Optional.empty();
    }

    @Override
    public Stream<ObjectInfo> list(String prefix) {
        return entries.entrySet().stream()
                .filter(entry -> entry.getKey().path().startsWith(prefix))
                .map(entry -> info(entry.getKey(), entry.getValue()));
    }

    @Override
    public boolean delete(ObjectKey key) {
        return entries.remove(key) != null;
    }

    @Override
    public String location() {
        return "memory:///";
    }

    @Override
    public void close() {
        entries.clear();
    }

    private Entry entry(ObjectKey key, Content content) throws IOException {
        if (content.size() >= Integer.MAX_VALUE - 8) {
            throw new StorageException(
                    "cannot write '%s': %d bytes are too much for the store in memory; use a file:/// store"
                            .formatted(key, content.size()),
                    null);
        }
        int size = (int) content.size();
        byte[] bytes;
        try (InputStream in = content.open()) {
            bytes = in.readNBytes(size + 1);
        }
        if (bytes.length != size) {
            throw new WrongSizeException(key, size, bytes.length > size ? "more" : Integer.toString(bytes.length));
        }
        return new Entry(bytes, Long.toString(writes.incrementAndGet()), clock.instant());
    }

    private static ObjectInfo info(ObjectKey key, Entry entry) {
        return new ObjectInfo(key, entry.bytes().length, entry.etag(), entry.modified());
    }
}
