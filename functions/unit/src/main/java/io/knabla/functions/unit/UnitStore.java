package io.knabla.functions.unit;

import io.knabla.functions.unit.cache.UnitLease;
import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Stores units in an object store and materialises them in a local cache: {@code blobs/<hex>} for graphs and weights,
 * {@code units/<hex>.json} for manifests. All objects are immutable and named by their content, so writing twice is
 * harmless and equal weights are stored once. Safe for use by many threads and processes.
 */
public final class UnitStore {
    /** File name of the graph in a materialised unit; the weights are beside it, named by their hex digests. */
    public static final String GRAPH = "model.onnx";

    public static final String MANIFEST = "manifest.json";

    /** File name of a training step's initial state. */
    public static final String INITIAL = "initial.safetensors";

    private final ObjectStore store;

    public UnitStore(ObjectStore store) {
        this.store = store;
    }

    /**
     * Stores the manifest and returns the unit's digest. Its blobs must be stored before ({@link #writeBlob}), so a
     * crash never leaves a manifest without its blobs.
     *
     * @throws UnitException if the manifest exceeds a limit of its reader; nothing is stored then
     */
    public Digest write(UnitManifest manifest) {
        byte[] json = ManifestJson.write(manifest);
        ManifestJson.read(json);
        Digest unit = Sha256.of(json);
        put(key(unit), new Blob(unit, json.length), Content.of(json));
        return unit;
    }

    /**
     * Stores a blob unless the store has it.
     *
     * @return whether it was new
     */
    public boolean writeBlob(Blob blob, Content content) {
        return put(blobKey(blob.digest()), blob, content);
    }

    /** Reads a manifest from the store and verifies its digest. */
    public UnitManifest read(Digest unit) {
        return ManifestJson.read(readBytes(unit));
    }

    /** Whether the store has the manifest and all blobs in their sizes; does not read the blobs' bytes. */
    public boolean holds(Digest unit) {
        return store.stat(key(unit)).isPresent()
                && read(unit).files().values().parallelStream().allMatch(this::isThere);
    }

    private boolean isThere(Blob blob) {
        return store.stat(blobKey(blob.digest()))
                .filter(there -> there.size() == blob.size())
                .isPresent();
    }

    /**
     * Creates the folder {@code <cache>/units/<hex>} with {@value #MANIFEST} and the unit's files, complete or not at
     * all, and returns it. A folder that was verified since the last boot costs one check; otherwise every byte is
     * verified, by one of the processes that ask for it. The folder is not evicted while this process lives.
     */
    public Path materialise(Digest unit, Path cache) {
        UnitLease lease = UnitLease.hold(cache.resolve("leases").resolve(unit.hex()));
        Path folder = cache.resolve("units").resolve(unit.hex());
        if (!Files.isDirectory(folder) || !lease.verifiedSinceBoot()) {
            new Materialiser(this, store, cache, System.getenv(), DownloadListener.NONE).materialise(unit, lease);
        }
        return folder;
    }

    /**
     * Materialises a unit for other processes: its folder counts as used now and may be evicted afterwards.
     *
     * @param environment environment variables; {@code KNABLA_CACHE_BYTES} bounds the cache
     */
    public Path prefetch(Digest unit, Path cache, Map<String, String> environment, DownloadListener listener) {
        Path folder = cache.resolve("units").resolve(unit.hex());
        try (UnitLease lease = UnitLease.hold(cache.resolve("leases").resolve(unit.hex()))) {
            if (!Files.isDirectory(folder) || !lease.verifiedSinceBoot()) {
                new Materialiser(this, store, cache, environment, listener).materialise(unit, lease);
            }
        } catch (IOException failed) {
            throw UnitException.cannotWrite(cache.toString(), failed);
        }
        return folder;
    }

    /** Reads the manifest of a materialised unit, which was verified when the unit was materialised. */
    public static UnitManifest readMaterialised(Path folder) {
        try {
            return ManifestJson.read(Files.readAllBytes(folder.resolve(MANIFEST)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the unit in " + folder + "; delete this folder", unreadable);
        }
    }

    byte[] readBytes(Digest unit) {
        ObjectKey key = key(unit);
        byte[] json = readAtMost(key, ManifestLimits.BYTES + 1);
        if (json.length > ManifestLimits.BYTES) {
            throw UnitException.badManifest("'%s' has more than %d bytes".formatted(key, ManifestLimits.BYTES));
        }
        Digest digest = Sha256.of(json);
        if (!digest.equals(unit)) {
            throw UnitException.damaged("'" + key + "'", unit, digest.value());
        }
        return json;
    }

    /** Sends one request; if its stream breaks, the store reads again and retries. */
    private byte[] readAtMost(ObjectKey key, int most) {
        try (InputStream in = open(key)) {
            return in.readNBytes(most);
        } catch (IOException broken) {
            return store.read(key)
                    .map(StoredObject::bytes)
                    .orElseThrow(() -> UnitException.absent(key, store.location()));
        }
    }

    private InputStream open(ObjectKey key) {
        return store.open(key, ByteRange.ALL).orElseThrow(() -> UnitException.absent(key, store.location()));
    }

    private boolean put(ObjectKey key, Blob blob, Content content) {
        Optional<ObjectInfo> there = store.stat(key);
        if (there.isPresent() && there.get().size() == blob.size()) {
            return false;
        }
        var checked = new CheckedContent(blob, content);
        try {
            if (there.isPresent()) {
                // An object of the wrong size is damaged, so it is overwritten with the right bytes.
                store.write(key, checked);
                return true;
            }
            return store.createOnce(key, checked).isPresent();
        } catch (IOException failed) {
            throw UnitException.cannotStore(store.location(), failed);
        }
    }

    static ObjectKey key(Digest unit) {
        return new ObjectKey("units/" + unit.hex() + ".json");
    }

    /** The key of a blob in the store. */
    public static ObjectKey blobKey(Digest blob) {
        return new ObjectKey("blobs/" + blob.hex());
    }
}
