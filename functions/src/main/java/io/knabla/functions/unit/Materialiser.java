package io.knabla.functions.unit;

import io.knabla.storage.ByteRange;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Brings one unit onto this machine: blobs first, each once, then a folder of hard links to them,
 * renamed into place. Apart from {@link Units} so that a start that finds the folder never loads it.
 */
final class Materialiser {
    private final Units units;
    private final ObjectStore store;
    private final Path cache;

    Materialiser(Units units, ObjectStore store, Path cache) {
        this.units = units;
        this.store = store;
        this.cache = cache;
    }

    void make(Digest unit, Path folder) {
        try {
            Files.createDirectories(cache.resolve("locks"));
            Files.createDirectories(cache.resolve("blobs"));
            Files.createDirectories(cache.resolve("units"));
            try (NodeLock _ = lock(unit)) {
                // Another process may have made it while this one waited.
                if (!Files.isDirectory(folder)) {
                    build(unit, folder);
                }
            }
        } catch (IOException failed) {
            throw UnitException.cannotWrite(cache.toString(), failed);
        }
    }

    private void build(Digest unit, Path folder) throws IOException {
        byte[] json = units.readBytes(unit);
        UnitManifest manifest = ManifestJson.read(json);
        // One holder of the lock: a fixed name is free, and what lies there is a dead process's.
        Path half = folder.resolveSibling("." + unit.hex() + ".tmp");
        deleteFolder(half);
        Files.createDirectory(half);
        try {
            link(blob(manifest.graph()), half.resolve(Units.GRAPH));
            for (Blob weight : manifest.weights()) {
                link(blob(weight), half.resolve(weight.digest().hex()));
            }
            for (EntryPoint entry : manifest.entries()) {
                link(blob(entry.graph()), half.resolve(entry.file()));
            }
            if (manifest.training().isPresent()) {
                link(blob(manifest.training().get().initial()), half.resolve(Units.INITIAL));
            }
            writeDurably(half.resolve(Units.MANIFEST), json);
            Files.move(half, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException failed) {
            deleteFolder(half);
            throw failed;
        }
    }

    /** The blob's file in this machine's cache, fetched and checked unless it was there. */
    private Path blob(Blob blob) throws IOException {
        Path file = cache.resolve("blobs").resolve(blob.digest().hex());
        if (Files.isRegularFile(file) && Files.size(file) == blob.size()) {
            return file;
        }
        try (NodeLock _ = lock(blob.digest())) {
            if (Files.isRegularFile(file) && Files.size(file) == blob.size()) {
                return file;
            }
            Path half = file.resolveSibling("." + blob.digest().hex() + ".tmp");
            Files.deleteIfExists(half);
            try {
                fetch(blob, half);
                Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(half);
            }
        }
        return file;
    }

    private void fetch(Blob blob, Path to) throws IOException {
        ObjectKey key = Units.blobKey(blob.digest());
        Optional<Path> local = store.localPath(key);
        if (local.isPresent() && linked(local.get(), to)) {
            try (InputStream in = Files.newInputStream(to)) {
                check(key, blob, Sha256.copy(in, OutputStream.nullOutputStream()));
            }
            return;
        }
        Optional<InputStream> content = store.open(key, ByteRange.ALL);
        if (content.isEmpty()) {
            throw UnitException.absent(key, store.location());
        }
        try (InputStream in = content.get();
                FileChannel out =
                        FileChannel.open(
                                to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            check(key, blob, Sha256.copy(in, Channels.newOutputStream(out)));
            out.force(true);
        }
    }

    private static void check(ObjectKey key, Blob wanted, Blob found) {
        if (!found.equals(wanted)) {
            throw UnitException.damaged(
                    "'" + key + "'",
                    wanted.digest(),
                    found.digest() + " in " + found.size() + " bytes");
        }
    }

    /** Versions that share a weight share its pages too. */
    private static void link(Path blob, Path name) throws IOException {
        // A graph may use one blob twice.
        if (!linked(blob, name) && !Files.exists(name)) {
            Files.copy(blob, name);
        }
    }

    /** Answers false where this file system, or this pair of them, has no hard links. */
    private static boolean linked(Path existing, Path name) {
        try {
            Files.createLink(name, existing);
            return true;
        } catch (UnsupportedOperationException | IOException noLinks) {
            return false;
        }
    }

    private static void writeDurably(Path file, byte[] bytes) throws IOException {
        try (FileChannel out =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            Channels.newOutputStream(out).write(bytes);
            out.force(true);
        }
    }

    private static void deleteFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private NodeLock lock(Digest digest) throws IOException {
        return NodeLock.take(cache.resolve("locks").resolve(digest.hex()));
    }
}
