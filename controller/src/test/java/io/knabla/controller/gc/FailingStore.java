package io.knabla.controller.gc;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Simulates a process that loses its store, which for the store equals a crash: from one operation on all operations
 * fail; that first one may still take effect.
 */
final class FailingStore implements ObjectStore {
    /** Not a type that production code catches. */
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** One operation. */
    private interface Operation<T> {
        T run() throws IOException;
    }

    private final ObjectStore store;
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    private volatile boolean lastHappens;
    private volatile boolean failed;

    FailingStore(ObjectStore store) {
        this.store = store;
    }

    /**
     * @param operation counted from this call, the first is 1
     * @param happens whether the failing operation takes effect
     */
    void failAt(int operation, boolean happens) {
        lastHappens = happens;
        left.set(operation);
    }

    void heal() {
        left.set(Integer.MAX_VALUE);
    }

    boolean failed() {
        return failed;
    }

    private <T> T io(Operation<T> operation) throws IOException {
        int now = left.decrementAndGet();
        if (now > 0) {
            return operation.run();
        }
        failed = true;
        if (now == 0 && lastHappens) {
            operation.run();
        }
        throw new Failed();
    }

    private <T> T of(Operation<T> operation) {
        try {
            return io(operation);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public Optional<StoredObject> read(ObjectKey key) {
        return of(() -> store.read(key));
    }

    @Override
    public Optional<ObjectInfo> stat(ObjectKey key) {
        return of(() -> store.stat(key));
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        return of(() -> store.open(key, range));
    }

    @Override
    public String write(ObjectKey key, Content content) throws IOException {
        return io(() -> store.write(key, content));
    }

    @Override
    public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
        return io(() -> store.createOnce(key, content));
    }

    @Override
    public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException {
        return io(() -> store.replaceIfMatch(key, etag, content));
    }

    @Override
    public Stream<ObjectInfo> list(String prefix) {
        return of(() -> store.list(prefix));
    }

    @Override
    public boolean delete(ObjectKey key) {
        return of(() -> store.delete(key));
    }

    @Override
    public String location() {
        return store.location();
    }

    @Override
    public void close() {}
}
