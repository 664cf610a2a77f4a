package io.knabla.controller.cost.ledger;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ForwardingStore;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Counts the calls of a store, or only those that change it, and does something before or after one of them. */
class InterposedStore extends ForwardingStore {
    private final int number;
    private final Runnable before;
    private final Runnable after;
    private final boolean countsReads;
    private final AtomicInteger calls = new AtomicInteger();

    InterposedStore(ObjectStore below, int number, Runnable before, Runnable after) {
        this(below, number, before, after, true);
    }

    InterposedStore(ObjectStore below, int number, Runnable before, Runnable after, boolean countsReads) {
        super(below);
        this.number = number;
        this.before = before;
        this.after = after;
        this.countsReads = countsReads;
    }

    /** Whether the call with the number came. */
    boolean reached() {
        return calls.get() >= number;
    }

    @FunctionalInterface
    private interface Call<T, X extends Exception> {
        T run() throws X;
    }

    private <T, X extends Exception> T read(Call<T, X> call) throws X {
        return countsReads ? call(call) : call.run();
    }

    private <T, X extends Exception> T call(Call<T, X> call) throws X {
        boolean now = calls.incrementAndGet() == number;
        if (now) {
            before.run();
        }
        T result = call.run();
        if (now) {
            after.run();
        }
        return result;
    }

    @Override
    public Optional<StoredObject> read(ObjectKey key) {
        return read(() -> super.read(key));
    }

    @Override
    public Optional<ObjectInfo> stat(ObjectKey key) {
        return read(() -> super.stat(key));
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        return read(() -> super.open(key, range));
    }

    @Override
    public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
        return this.<Optional<String>, IOException>call(() -> super.createOnce(key, content));
    }

    @Override
    public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException {
        return this.<Optional<String>, IOException>call(() -> super.replaceIfMatch(key, etag, content));
    }

    @Override
    public Stream<ObjectInfo> list(String prefix) {
        return read(() -> super.list(prefix));
    }

    @Override
    public boolean delete(ObjectKey key) {
        return call(() -> super.delete(key));
    }
}
