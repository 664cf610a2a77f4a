package io.knabla.controller.models;

import io.knabla.controller.config.Ids;
import io.knabla.controller.home.Home;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.download.Download;
import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.functions.unit.download.RangeSource;
import io.knabla.functions.unit.download.ShortSourceException;
import io.knabla.storage.ByteRange;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.StorageException.Kind;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Provides model files on this machine; copies one from a remote store while it has readers. It downloads such a file
 * once for all concurrent readers, verifies its digest, and deletes it after the last reader.
 */
@Singleton
public final class LocalModels {
    private static final System.Logger LOG = System.getLogger(LocalModels.class.getName());

    private final ObjectStore store;
    private final Home home;
    private final Ids ids;
    private final Map<Digest, Copy> copies = new HashMap<>();

    public LocalModels(ObjectStore store, Home home, Ids ids) {
        this.store = store;
        this.home = home;
        this.ids = ids;
    }

    /** A file that stays on this machine until it is closed. */
    public record BorrowedFile(Path file, Runnable release) implements AutoCloseable {
        @Override
        public void close() {
            release.run();
        }
    }

    private static final class Copy {
        private final CompletableFuture<Path> file = new CompletableFuture<>();
        private int readers;
    }

    /** @throws StorageException if the model is missing or damaged, or the disk is full */
    public BorrowedFile borrow(Digest digest) {
        Optional<Path> own = store.localPath(ModelKeys.model(digest));
        if (own.isPresent()) {
            return new BorrowedFile(own.get(), () -> {});
        }
        Copy copy;
        boolean first;
        synchronized (this) {
            first = !copies.containsKey(digest);
            copy = copies.computeIfAbsent(digest, _ -> new Copy());
            copy.readers++;
        }
        if (first) {
            fill(copy, digest);
        }
        try {
            return new BorrowedFile(copy.file.join(), () -> giveBack(digest, copy));
        } catch (CompletionException failed) {
            giveBack(digest, copy);
            throw (RuntimeException) failed.getCause();
        }
    }

    /** Takes over a local file with a known digest; deletes it after the last reader. */
    synchronized BorrowedFile adopt(Digest digest, Path file) {
        if (copies.containsKey(digest)) {
            // Another copy of this model is in use; this one has only its own reader.
            return new BorrowedFile(file, () -> delete(file));
        }
        var copy = new Copy();
        copy.readers = 1;
        copy.file.complete(file);
        copies.put(digest, copy);
        return new BorrowedFile(file, () -> giveBack(digest, copy));
    }

    private void fill(Copy copy, Digest digest) {
        try {
            copy.file.complete(fetched(digest));
        } catch (RuntimeException | Error failed) {
            synchronized (this) {
                // Later callers start a new download.
                copies.remove(digest, copy);
            }
            copy.file.completeExceptionally(
                    failed instanceof RuntimeException
                            ? failed
                            : new IllegalStateException("cannot fetch " + digest, failed));
        }
    }

    private void giveBack(Digest digest, Copy copy) {
        synchronized (this) {
            if (--copy.readers > 0) {
                return;
            }
            copies.remove(digest, copy);
        }
        if (!copy.file.isCompletedExceptionally()) {
            delete(copy.file.join());
        }
    }

    private Path fetched(Digest digest) {
        ObjectKey key = ModelKeys.model(digest);
        long size = store.stat(key)
                .map(ObjectInfo::size)
                .orElseThrow(() -> new StorageException(
                        Kind.BAD_OBJECT,
                        "'%s' is no longer in %s;".formatted(key, store.location()),
                        "deploy again, which uploads it"));
        Path file = newFile(digest.hex(), size);
        Digest found = fetch(new StoreRangeSource(store, key, size), store.parallelism(), file);
        if (!found.equals(digest)) {
            delete(file);
            throw new StorageException(
                    Kind.BAD_OBJECT,
                    "'%s' in %s is damaged: its bytes have digest %s;".formatted(key, store.location(), found),
                    "delete that object and deploy again, which uploads it");
        }
        return file;
    }

    /** Path for a new file; fails if the disk has too little space. */
    Path newFile(String name, long size) {
        try {
            Files.createDirectories(home.uploads());
            long free = Files.getFileStore(home.uploads()).getUsableSpace();
            if (size > free) {
                throw new StorageException(
                        Kind.DISK_FULL,
                        "the disk is full: the model has %,d bytes, but %s has only %,d bytes free;"
                                .formatted(size, home.uploads(), free),
                        "make room, or set KNABLA_HOME to a folder on another disk");
            }
        } catch (IOException refused) {
            throw notWritten(refused);
        }
        return home.uploads().resolve(name + "." + ids.next() + ".tmp");
    }

    /** Downloads to the file and returns its digest; deletes the file on failure. */
    Digest fetch(RangeSource source, int parallelism, Path file) {
        boolean whole = false;
        try {
            var item = new Download.Item(source, file);
            Download.Result came = Download.run(List.of(item), parallelism, DownloadListener.NONE)
                    .getFirst();
            Download.deleteNotes(file);
            whole = true;
            return Digest.ofHex(came.sha256());
        } catch (ShortSourceException truncated) {
            throw new StorageException(Kind.BAD_OBJECT, truncated.getMessage(), "", truncated);
        } catch (IOException refused) {
            throw notWritten(refused);
        } finally {
            if (!whole) {
                delete(file);
            }
        }
    }

    private StorageException notWritten(IOException cause) {
        return new StorageException(
                StorageException.isDiskFull(cause) ? Kind.DISK_FULL : Kind.UNAVAILABLE,
                "cannot write to %s: %s.".formatted(home.uploads(), cause.getMessage()),
                "Nothing was kept; make room there and deploy again",
                cause);
    }

    /** Deletes the file, and the parts of an unfinished download. */
    static void delete(Path file) {
        try {
            Download.discard(file);
        } catch (IOException left) {
            // The sweep at the next start deletes it.
            LOG.log(System.Logger.Level.WARNING, "cannot delete " + file, left);
        }
    }

    private record StoreRangeSource(ObjectStore store, ObjectKey key, long size) implements RangeSource {
        @Override
        public String name() {
            return "'%s' in %s".formatted(key, store.location());
        }

        @Override
        public InputStream open(ByteRange range) throws IOException {
            return store.open(key, range).orElseThrow(() -> new IOException(name() + " was deleted"));
        }
    }
}
