package io.knabla.storage.history;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import io.knabla.storage.history.Call.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Forwards to another store and records reads and conditional writes of one key. A value is the digest of the bytes; ""
 * if the object is absent.
 */
public final class RecordingStore implements ObjectStore {
    /** A write that may throw the {@code IOException} of its {@link Content}. */
    private interface Writing {
        Optional<String> attempt() throws IOException;
    }

    private final ObjectStore store;
    private final ObjectKey watched;
    private final String client;
    private final List<Operation> history = new ArrayList<>();
    private final Map<String, String> valueOfEtag = new ConcurrentHashMap<>();

    public RecordingStore(ObjectStore store, ObjectKey watched, String client) {
        this.store = store;
        this.watched = watched;
        this.client = client;
    }

    public synchronized List<Operation> history() {
        return List.copyOf(history);
    }

    private synchronized void note(Call act, long invoked) {
        history.add(new Operation(client, act, invoked, System.nanoTime()));
    }

    @Override
    public Optional<StoredObject> read(ObjectKey key) {
        long invoked = System.nanoTime();
        Optional<StoredObject> read = store.read(key);
        if (key.equals(watched)) {
            String value = read.map(object -> digest(object.bytes())).orElse("");
            read.ifPresent(object -> valueOfEtag.put(object.etag(), value));
            note(new Call.Read(value), invoked);
        }
        return read;
    }

    @Override
    public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
        return swap(key, "", content, () -> store.createOnce(key, content));
    }

    @Override
    public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException {
        String expected = valueOfEtag.getOrDefault(etag, "etag " + etag);
        return swap(key, expected, content, () -> store.replaceIfMatch(key, etag, content));
    }

    private Optional<String> swap(ObjectKey key, String expected, Content content, Writing writing) throws IOException {
        if (!key.equals(watched)) {
            return writing.attempt();
        }
        String wanted = digest(bytes(content));
        long invoked = System.nanoTime();
        Outcome outcome = Outcome.UNKNOWN;
        try {
            Optional<String> etag = writing.attempt();
            outcome = etag.isPresent() ? Outcome.WON : Outcome.LOST;
            etag.ifPresent(won -> valueOfEtag.put(won, wanted));
            return etag;
        } finally {
            note(new Call.Swap(expected, wanted, outcome), invoked);
        }
    }

    private static byte[] bytes(Content content) throws IOException {
        try (InputStream in = content.open()) {
            return in.readAllBytes();
        }
    }

    private static String digest(byte[] bytes) {
        try {
            byte[] all = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(all, 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String write(ObjectKey key, Content content) throws IOException {
        refuse(key);
        return store.write(key, content);
    }

    @Override
    public boolean delete(ObjectKey key) {
        refuse(key);
        return store.delete(key);
    }

    private void refuse(ObjectKey key) {
        if (key.equals(watched)) {
            throw new AssertionError(key + " is watched and may only be written conditionally");
        }
    }

    @Override
    public Optional<ObjectInfo> stat(ObjectKey key) {
        return store.stat(key);
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        return store.open(key, range);
    }

    @Override
    public Stream<ObjectInfo> list(String prefix) {
        return store.list(prefix);
    }

    @Override
    public String location() {
        return store.location();
    }

    @Override
    public void close() {
        store.close();
    }
}
