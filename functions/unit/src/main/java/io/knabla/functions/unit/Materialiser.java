package io.knabla.functions.unit;

import io.knabla.functions.unit.cache.CacheBound;
import io.knabla.functions.unit.cache.CacheFolder;
import io.knabla.functions.unit.cache.CacheSpace;
import io.knabla.functions.unit.cache.NodeLock;
import io.knabla.functions.unit.cache.UnitLease;
import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Materialises one unit in this machine's cache: fetches its blobs, creates a folder of hard links to them and renames
 * it into place. Separate from {@link UnitStore}, so a replica that finds the folder never loads this class. Locks are
 * taken in the order unit, blobs by digest, cache space, so processes cannot deadlock.
 */
final class Materialiser {
    private final UnitStore units;
    private final CacheFolder cache;
    private final CachedBlobs blobs;

    Materialiser(
            UnitStore units,
            ObjectStore store,
            Path cache,
            Map<String, String> environment,
            DownloadListener listener) {
        this.units = units;
        this.cache = new CacheFolder(cache);
        Optional<String> bound =
                Optional.ofNullable(environment.get(CacheBound.SETTING)).filter(text -> !text.isEmpty());
        this.blobs = new CachedBlobs(
                store, this.cache, new CacheSpace(this.cache, bound, System::currentTimeMillis), listener);
    }

    /** @param lease on this unit; no process evicts it while the caller uses it */
    void materialise(Digest unit, UnitLease lease) {
        Path folder = cache.unit(unit.hex());
        try {
            cache.create();
            try (NodeLock _ = NodeLock.take(cache.lock(unit.hex()))) {
                // Another process may have materialised it while this one waited.
                if (!Files.isDirectory(folder) || !lease.verifiedSinceBoot()) {
                    build(unit, folder);
                    lease.markVerified();
                }
            }
        } catch (IOException failed) {
            throw UnitException.cannotWrite(cache.path().toString(), failed);
        }
    }

    private void build(Digest unit, Path folder) throws IOException {
        byte[] json = manifest(unit, folder);
        UnitManifest manifest = ManifestJson.read(json);
        if (Files.isDirectory(folder)) {
            // It dates from before the last boot, so no process uses it.
            cache.deleteUnit(unit.hex());
        }
        Path half = cache.halfUnit(unit.hex());
        CacheFolder.delete(half);
        Files.createDirectory(half);
        Map<String, Blob> files = manifest.files();
        SequencedMap<Blob, NodeLock> locks = new LinkedHashMap<>();
        try {
            lock(files, locks);
            blobs.ensurePresent(locks);
            for (Map.Entry<String, Blob> file : files.entrySet()) {
                Path blob = cache.blob(file.getValue().digest().hex());
                HardLinks.makeOrCopy(blob, half.resolve(file.getKey()));
            }
            Files.write(half.resolve(UnitStore.MANIFEST), json);
            Files.move(half, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException failed) {
            CacheFolder.delete(half);
            throw failed;
        } finally {
            for (NodeLock lock : locks.values()) {
                lock.close();
            }
        }
    }

    /** Prefers the local copy if its digest is right: after a reboot a unit needs no request to the store. */
    private byte[] manifest(Digest unit, Path folder) throws IOException {
        Path local = folder.resolve(UnitStore.MANIFEST);
        if (Files.isRegularFile(local)) {
            byte[] json = Files.readAllBytes(local);
            if (Sha256.of(json).equals(unit)) {
                return json;
            }
        }
        return units.readBytes(unit);
    }

    private void lock(Map<String, Blob> files, Map<Blob, NodeLock> locks) throws IOException {
        SequencedMap<String, Blob> ordered = new TreeMap<>();
        for (Blob blob : files.values()) {
            ordered.put(blob.digest().hex(), blob);
        }
        for (Map.Entry<String, Blob> blob : ordered.entrySet()) {
            locks.put(blob.getValue(), NodeLock.take(cache.lock(blob.getKey())));
        }
    }
}
