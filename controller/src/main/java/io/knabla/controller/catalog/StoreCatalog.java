package io.knabla.controller.catalog;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The catalog in an object store: one document per function at {@code catalog/functions/<namespace>/<name>.json}. Reads
 * are answered from a cache, which {@link #refresh} and own changes update; the store's conditional writes decide which
 * of two concurrent changes wins.
 */
public final class StoreCatalog implements Catalog {
    private static final System.Logger LOG = System.getLogger(StoreCatalog.class.getName());
    private static final String PREFIX = "catalog/functions/";
    private static final String SUFFIX = ".json";
    private static final int ATTEMPTS = 200;

    /** In place of the etag of a document that cannot be read, so that each refresh tries again. */
    private static final String UNREADABLE = "unreadable";

    private static final CachedDocument NOTHING = new CachedDocument(null, Optional.empty(), Optional.empty(), false);

    /**
     * Cached state of one document: a function, a tombstone (both empty), or a fault.
     *
     * @param known whether listeners know the function, which a damaged document does not end
     */
    private record CachedDocument(
            String etag, Optional<FunctionRecord> record, Optional<CatalogException> trouble, boolean known) {
        static CachedDocument of(String etag, Optional<FunctionRecord> record) {
            return new CachedDocument(etag, record, Optional.empty(), record.isPresent());
        }

        static CachedDocument of(String etag, CatalogException trouble) {
            return new CachedDocument(etag, Optional.empty(), Optional.of(trouble), false);
        }

        CachedDocument after(CachedDocument before) {
            return new CachedDocument(etag, record, trouble, trouble.isPresent() ? before.known : record.isPresent());
        }
    }

    private final ObjectStore store;
    private final RandomGenerator random;
    private final int absences;
    private final Map<FunctionId, CachedDocument> seen = new ConcurrentHashMap<>();

    /** Negative cache: names without a document, valid until the next refresh. */
    private final Set<FunctionId> absent = ConcurrentHashMap.newKeySet();

    private final Map<FunctionId, ReentrantLock> locks = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean loaded;

    /** Creates a catalog that asks the store for every unknown name. */
    public StoreCatalog(ObjectStore store, RandomGenerator random) {
        this(store, random, 0);
    }

    /**
     * @param absences how many unknown names to cache until the next refresh; callers may ask for any number of them,
     *     and S3 bills each lookup
     */
    public StoreCatalog(ObjectStore store, RandomGenerator random, int absences) {
        this.store = store;
        this.random = random;
        this.absences = absences;
    }

    @Override
    public Optional<FunctionRecord> find(FunctionId id) {
        CachedDocument last = seen.get(id);
        if (last == null && isAbsent(id)) {
            return Optional.empty();
        }
        if (last == null || last.trouble().isPresent()) {
            return readFromStore(id);
        }
        return last.record();
    }

    private boolean isAbsent(FunctionId id) {
        if (absent.contains(id)) {
            return true;
        }
        boolean nothing = store.stat(key(id)).isEmpty();
        if (nothing && absent.size() < absences) {
            absent.add(id);
        }
        return nothing;
    }

    @Override
    public Optional<FunctionRecord> readFromStore(FunctionId id) {
        CachedDocument now = locked(id, () -> read(id));
        if (now.trouble().isPresent()) {
            throw now.trouble().get();
        }
        return now.record();
    }

    @Override
    public List<FunctionRecord> list() {
        return seen.values().stream()
                .flatMap(last -> last.record().stream())
                .sorted(Comparator.comparing(record -> record.id().toString()))
                .toList();
    }

    @Override
    public boolean isLoaded() {
        return loaded;
    }

    @Override
    public List<CatalogException> troubles() {
        return seen.values().stream().flatMap(last -> last.trouble().stream()).toList();
    }

    @Override
    public FunctionRecord update(FunctionId id, Change change) {
        return locked(id, () -> updateWithRetries(id, change));
    }

    private FunctionRecord updateWithRetries(FunctionId id, Change change) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            CachedDocument now = read(id);
            if (now.trouble().isPresent()) {
                throw now.trouble().get();
            }
            FunctionRecord wanted = change.apply(now.record());
            if (now.record().filter(wanted::equals).isPresent()) {
                return wanted;
            }
            FunctionRecord bounded = VersionHistory.bounded(wanted, VersionHistory.LIMIT);
            Optional<String> etag = write(id, now.etag(), RecordJson.write(bounded));
            if (etag.isPresent()) {
                FunctionRecord written = bounded.writtenAs(etag.get());
                note(id, CachedDocument.of(etag.get(), Optional.of(written)));
                return written;
            }
            pause(attempt);
        }
        throw CatalogException.busy(id, ATTEMPTS);
    }

    @Override
    public boolean delete(FunctionId id) {
        return locked(id, () -> writeTombstone(id));
    }

    private boolean writeTombstone(FunctionId id) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            CachedDocument now = read(id);
            if (now.record().isEmpty() && now.trouble().isEmpty()) {
                return false;
            }
            // Deleting is the remedy for a damaged document; one of a newer Knabla is not ours to delete.
            if (now.trouble()
                    .filter(t -> t.kind() != CatalogException.Kind.DAMAGED)
                    .isPresent()) {
                throw now.trouble().get();
            }
            Optional<String> etag = write(id, now.etag(), RecordJson.tombstone(id));
            if (etag.isPresent()) {
                note(id, CachedDocument.of(etag.get(), Optional.empty()));
                return true;
            }
            pause(attempt);
        }
        throw CatalogException.busy(id, ATTEMPTS);
    }

    @Override
    public void onChange(Listener listener) {
        listeners.add(listener);
    }

    /** Finds changes of other controllers: lists all etags and reads the documents that changed. */
    public void refresh() {
        absent.clear();
        Set<FunctionId> there = new HashSet<>();
        List<ObjectInfo> documents;
        try (Stream<ObjectInfo> listed = store.list(PREFIX)) {
            documents = listed.toList();
        }
        for (ObjectInfo document : documents) {
            id(document.key()).ifPresent(id -> {
                there.add(id);
                CachedDocument last = seen.get(id);
                if (last == null || !last.etag().equals(document.etag())) {
                    locked(id, () -> read(id));
                }
            });
        }
        // A document that was removed by hand counts as deleted.
        seen.keySet().stream()
                .filter(id -> !there.contains(id) && seen.get(id).etag() != null)
                .toList()
                .forEach(id -> locked(id, () -> read(id)));
        loaded = true;
    }

    /** Reads the document and notifies listeners of a change; the caller holds the function's lock. */
    private CachedDocument read(FunctionId id) {
        CachedDocument now = readDocument(id);
        if (now.etag() != null || seen.containsKey(id)) {
            note(id, now);
        }
        return now;
    }

    private CachedDocument readDocument(FunctionId id) {
        try {
            return store.read(key(id)).map(object -> parse(id, object)).orElse(NOTHING);
        } catch (StorageException failed) {
            if (failed.isOfOneObject()) {
                return CachedDocument.of(UNREADABLE, CatalogException.unreadable(id, failed));
            }
            throw failed;
        }
    }

    private CachedDocument parse(FunctionId id, StoredObject object) {
        try {
            return CachedDocument.of(object.etag(), RecordJson.read(id, object.bytes(), object.etag()));
        } catch (CatalogException trouble) {
            return CachedDocument.of(object.etag(), trouble.in(key(id).path(), store.location()));
        }
    }

    private void note(FunctionId id, CachedDocument read) {
        CachedDocument before = seen.getOrDefault(id, NOTHING);
        CachedDocument now = read.after(before);
        if (now.etag() == null) {
            seen.remove(id);
        } else {
            seen.put(id, now);
        }
        // Who moves a damaged document away is about to restore it: that is not the end of the function.
        boolean isMovedAway = before.trouble().isPresent() && now.etag() == null;
        if (isMovedAway || Objects.equals(before.etag(), now.etag())) {
            return;
        }
        if (now.trouble().isPresent()) {
            LOG.log(System.Logger.Level.ERROR, now.trouble().get().getMessage());
            tell(id, listener -> listener.damaged(id, now.trouble().get()));
        } else if (before.known() || now.known()) {
            tell(id, listener -> listener.changed(id, now.record()));
        }
    }

    /** The change is already written: a failing listener must not make it look failed. */
    private void tell(FunctionId id, Consumer<Listener> change) {
        for (Listener listener : listeners) {
            try {
                change.accept(listener);
            } catch (RuntimeException failed) {
                LOG.log(System.Logger.Level.ERROR, "a listener failed on the change of " + id, failed);
            }
        }
    }

    private Optional<String> write(FunctionId id, String etag, byte[] document) {
        try {
            return etag == null
                    ? store.createOnce(key(id), Content.of(document))
                    : store.replaceIfMatch(key(id), etag, Content.of(document));
        } catch (IOException impossible) {
            throw new UncheckedIOException("bytes in memory must be readable", impossible);
        }
    }

    /** Exponential backoff with full jitter, up to 64 ms. */
    private void pause(int attempt) {
        long most = TimeUnit.MILLISECONDS.toNanos(1L << Math.min(attempt, 6));
        LockSupport.parkNanos(random.nextLong(1, most));
    }

    private <T> T locked(FunctionId id, Supplier<T> work) {
        ReentrantLock lock = locks.computeIfAbsent(id, _ -> new ReentrantLock());
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    static ObjectKey key(FunctionId id) {
        return new ObjectKey(PREFIX + id.namespace() + "/" + id.name() + SUFFIX);
    }

    private static Optional<FunctionId> id(ObjectKey key) {
        String[] parts = key.path().substring(PREFIX.length()).split("/");
        return parts.length == 2 && parts[1].endsWith(SUFFIX)
                ? Optional.of(new FunctionId(parts[0], parts[1].substring(0, parts[1].length() - SUFFIX.length())))
                : Optional.empty();
    }
}
