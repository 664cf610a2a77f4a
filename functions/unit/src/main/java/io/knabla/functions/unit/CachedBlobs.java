package io.knabla.functions.unit;

import io.knabla.functions.unit.cache.CacheFolder;
import io.knabla.functions.unit.cache.CacheSpace;
import io.knabla.functions.unit.cache.NodeLock;
import io.knabla.functions.unit.download.Download;
import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.functions.unit.download.ShortSourceException;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Brings the blobs of one unit into this machine's cache by hard link or download; the caller holds the lock of each.
 */
final class CachedBlobs {
    private final ObjectStore store;
    private final CacheFolder cache;
    private final CacheSpace room;
    private final DownloadListener listener;

    CachedBlobs(ObjectStore store, CacheFolder cache, CacheSpace room, DownloadListener listener) {
        this.store = store;
        this.cache = cache;
        this.room = room;
        this.listener = listener;
    }

    /** Makes every blob present and verified since the last boot; throws if one cannot be. */
    void ensurePresent(SequencedMap<Blob, NodeLock> blobs) throws IOException {
        List<Blob> missing = new ArrayList<>();
        for (Map.Entry<Blob, NodeLock> entry : blobs.sequencedEntrySet()) {
            if (!present(entry.getKey(), entry.getValue()) && !link(entry.getKey())) {
                missing.add(entry.getKey());
            }
        }
        if (!missing.isEmpty()) {
            reserve(missing);
            fetch(missing);
        }
        for (NodeLock lock : blobs.values()) {
            lock.markVerified();
        }
    }

    private boolean present(Blob blob, NodeLock lock) throws IOException {
        Path file = file(blob);
        if (!Files.isRegularFile(file) || Files.size(file) != blob.size()) {
            return false;
        }
        if (lock.verifiedSinceBoot() || blob(file).equals(blob)) {
            return true;
        }
        // The machine crashed, or its disk is faulty.
        Files.delete(file);
        return false;
    }

    /** Links the store's own file if it is on the same disk, so no byte is copied. */
    private boolean link(Blob blob) throws IOException {
        var stored = new StoredBlob(store, blob);
        var local = store.localPath(stored.key());
        Path half = part(blob);
        if (local.isEmpty()) {
            return false;
        }
        Download.discard(half);
        if (!HardLinks.make(local.get(), half)) {
            return false;
        }
        try {
            Blob found = blob(half);
            if (!found.equals(blob)) {
                throw damaged(stored, found);
            }
            Files.move(half, file(blob), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } finally {
            Files.deleteIfExists(half);
        }
    }

    private void reserve(List<Blob> missing) throws IOException {
        long needed = 0;
        for (Blob blob : missing) {
            needed += Download.reserved(part(blob), blob.size()) ? 0 : blob.size();
        }
        // No switch: no AOT cache holds it, and a start would make it anew.
        if (room.reserve(needed, () -> reserveAll(missing)) instanceof CacheSpace.InsufficientSpace refused) {
            throw UnitException.noRoom(cache.path(), refused);
        }
    }

    private void reserveAll(List<Blob> missing) throws IOException {
        for (Blob blob : missing) {
            Download.reserve(part(blob), blob.size());
        }
    }

    /** Keeps every good blob, even if another one is damaged. */
    private void fetch(List<Blob> missing) throws IOException {
        List<Blob> again = new ArrayList<>();
        List<UnitException> damaged = new ArrayList<>();
        List<Download.Result> results = download(missing);
        for (int i = 0; i < missing.size(); i++) {
            Blob blob = missing.get(i);
            Download.Result result = results.get(i);
            if (publish(blob, result)) {
                continue;
            }
            if (result.resumed() > 0) {
                again.add(blob);
            } else {
                damaged.add(damaged(blob, result));
            }
        }
        if (!damaged.isEmpty()) {
            throw damaged.getFirst();
        }
        if (!again.isEmpty()) {
            // The bytes of an earlier attempt were damaged and have been deleted, so this attempt resumes nothing.
            fetch(again);
        }
    }

    private List<Download.Result> download(List<Blob> blobs) throws IOException {
        List<Download.Item> items = new ArrayList<>();
        for (Blob blob : blobs) {
            items.add(new Download.Item(new StoredBlob(store, blob), part(blob)));
        }
        try {
            return Download.run(items, store.parallelism(), listener);
        } catch (ShortSourceException damaged) {
            throw UnitException.damaged(damaged.getMessage());
        }
    }

    /** Returns false and deletes the bytes if they do not match the digest. */
    private boolean publish(Blob blob, Download.Result result) throws IOException {
        Path part = part(blob);
        if (!result.sha256().equals(blob.digest().hex())) {
            Download.discard(part);
            return false;
        }
        Files.move(part, file(blob), StandardCopyOption.ATOMIC_MOVE);
        Download.deleteNotes(part);
        return true;
    }

    private UnitException damaged(Blob blob, Download.Result result) {
        return damaged(new StoredBlob(store, blob), new Blob(Digest.ofHex(result.sha256()), blob.size()));
    }

    private static UnitException damaged(StoredBlob wanted, Blob found) {
        return UnitException.damaged(
                "'" + wanted.key() + "'", wanted.blob().digest(), found.digest() + " in " + found.size() + " bytes");
    }

    private static Blob blob(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Sha256.blob(in);
        }
    }

    private Path file(Blob blob) {
        return cache.blob(blob.digest().hex());
    }

    private Path part(Blob blob) {
        return cache.part(blob.digest().hex());
    }
}
