package io.knabla.storage.file;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.LimitedInputStream;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Stores objects as files below one folder: {@code objects/} in the form of {@link Layout}, {@code tmp/} for writes in
 * progress, and {@code locks/}. A write goes to a temporary file, is flushed, and becomes visible by one atomic rename
 * or link, so a reader never sees a partial object.
 *
 * <p>The read path avoids lambdas and string concatenation: a starting replica pays for each.
 */
public final class FileObjectStore implements ObjectStore {
    private final Path root;
    private final Layout layout;
    private final KeyLocks locks;
    private final Staging staging;
    private final boolean rootWasMade;

    private FileObjectStore(Path root, InstantSource clock, boolean rootWasMade) {
        this.root = root;
        this.rootWasMade = rootWasMade;
        this.layout = new Layout(root.resolve("objects"));
        this.locks = new KeyLocks(root.resolve("locks"));
        this.staging = new Staging(root, clock);
    }

    /** Creates the folder if absent, and deletes the temporary files of killed writers. */
    public static FileObjectStore open(Path root) {
        return open(root, InstantSource.system());
    }

    static FileObjectStore open(Path root, InstantSource clock) {
        FileObjectStore store = new FileObjectStore(root.toAbsolutePath().normalize(), clock, true);
        try {
            Staging.makeRoot(store.root);
        } catch (IOException error) {
            throw FileFaults.cannot("open", "/", store.root, error);
        }
        store.staging.sweep();
        return store;
    }

    /** Opens a store for reading only: touches no file before the first read. */
    public static FileObjectStore openToRead(Path root) {
        return new FileObjectStore(root.toAbsolutePath().normalize(), InstantSource.system(), false);
    }

    @Override
    public Optional<StoredObject> read(ObjectKey key) {
        Path file = layout.file(key);
        try {
            while (true) {
                String etag = Etags.of(attributes(file));
                byte[] bytes = Files.readAllBytes(file);
                // Replaced meanwhile: the etag may belong to another version. Read again.
                if (etag.equals(Etags.of(attributes(file)))) {
                    return Optional.of(new StoredObject(bytes, etag));
                }
            }
        } catch (NoSuchFileException absent) {
            return absent("read", key);
        } catch (IOException error) {
            requireNoFolder("read", key);
            throw FileFaults.cannot("read", key, root, error);
        }
    }

    @Override
    public Optional<ObjectInfo> stat(ObjectKey key) {
        try {
            BasicFileAttributes found = attributes(layout.file(key));
            return Optional.of(new ObjectInfo(
                    key, found.size(), Etags.of(found), found.lastModifiedTime().toInstant()));
        } catch (NoSuchFileException absent) {
            return absent("look at", key);
        } catch (IOException error) {
            throw FileFaults.cannot("look at", key, root, error);
        }
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        InputStream in = null;
        requireNoFolder("read", key);
        try {
            in = Files.newInputStream(layout.file(key));
            in.skip(range.offset());
            return Optional.of(new LimitedInputStream(in, range.length()));
        } catch (NoSuchFileException absent) {
            return absent("read", key);
        } catch (IOException error) {
            Staging.closeQuietly(in);
            throw FileFaults.cannot("read", key, root, error);
        }
    }

    @Override
    public Optional<Path> localPath(ObjectKey key) {
        Path file = layout.file(key);
        return Files.isRegularFile(file) ? Optional.of(file) : Optional.empty();
    }

    @Override
    public String write(ObjectKey key, Content content) throws IOException {
        try (StagedFile staged = staging.stage(key, content)) {
            return store("write", key, () -> locks.withLock(key, () -> replace(key, staged)));
        }
    }

    @Override
    public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
        Path file = layout.file(key);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return store("create", key, () -> lost(file));
        }
        try (StagedFile staged = staging.stage(key, content)) {
            return store("create", key, () -> create(file, staged));
        }
    }

    @Override
    public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException {
        if (!matches(key, etag)) {
            return Optional.empty();
        }
        try (StagedFile staged = staging.stage(key, content)) {
            return store(
                    "replace",
                    key,
                    () -> locks.withLock(
                            key, () -> matches(key, etag) ? Optional.of(replace(key, staged)) : Optional.empty()));
        }
    }

    @Override
    public Stream<ObjectInfo> list(String prefix) {
        List<ObjectKey> keys = store("list", prefix, () -> Listing.keys(layout, prefix));
        if (keys.isEmpty()) {
            requireRoot("list", prefix);
        }
        return keys.stream().map(this::stat).flatMap(Optional::stream);
    }

    @Override
    public boolean delete(ObjectKey key) {
        Path file = layout.file(key);
        return store("delete", key, () -> {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                requireRoot("delete", key);
                return false;
            }
            staging.prepare();
            return locks.withLock(key, () -> remove(file));
        });
    }

    /** Ignores the age: a lock tells whether a writer is alive. */
    @Override
    public int abortStaleUploads(Instant olderThan) {
        return staging.sweep();
    }

    @Override
    public String location() {
        String uri = root.toUri().toString();
        return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
    }

    @Override
    public void close() {
        staging.close();
    }

    /** Java reports a path below a file as absent; here it means that the store is broken. */
    private <T> Optional<T> absent(String action, ObjectKey key) {
        for (Path folder = layout.file(key).getParent();
                folder != null && folder.startsWith(root);
                folder = folder.getParent()) {
            if (Files.isRegularFile(folder)) {
                throw FileFaults.cannot(action, key, root, new NotDirectoryException(folder.toString()));
            }
        }
        requireRoot(action, key);
        return Optional.empty();
    }

    /** A root that {@link #open} made and that is gone, as after an unmount, is an outage, not the absence of a key. */
    private void requireRoot(String action, Object what) {
        if (rootWasMade && !Files.isDirectory(root)) {
            throw FileFaults.cannot(action, what, root, new NoSuchFileException(root.toString()));
        }
    }

    private void requireNoFolder(String action, ObjectKey key) {
        Path file = layout.file(key);
        if (Files.isDirectory(file)) {
            throw FileFaults.folderInPlaceOfObject(action, key, root, file);
        }
    }

    private boolean matches(ObjectKey key, String etag) {
        Optional<ObjectInfo> now = stat(key);
        return now.isPresent() && now.get().etag().equals(etag);
    }

    private String replace(ObjectKey key, StagedFile staged) throws IOException {
        Path file = layout.file(key);
        staging.folders().ensure(file.getParent());
        Optional<ObjectInfo> before = stat(key);
        String etag = staged.stampAfter(before.map(ObjectInfo::modified));
        Files.move(staged.file(), file, StandardCopyOption.ATOMIC_MOVE);
        DurableFolders.flush(file.getParent());
        return etag;
    }

    /** Creating a link fails if the name exists, so exactly one writer wins. */
    private Optional<String> create(Path file, StagedFile staged) throws IOException {
        staging.folders().ensure(file.getParent());
        try {
            Files.createLink(file, staged.file());
        } catch (FileAlreadyExistsException lost) {
            return lost(file);
        }
        DurableFolders.flush(file.getParent());
        return Optional.of(staged.etag());
    }

    /** The loser will rely on the winner's object, so its name must be durable first. */
    private static Optional<String> lost(Path file) throws IOException {
        DurableFolders.flush(file.getParent());
        return Optional.empty();
    }

    private static boolean remove(Path file) throws IOException {
        boolean was = Files.deleteIfExists(file);
        DurableFolders.flush(file.getParent());
        return was;
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class);
    }

    private <T> T store(String action, Object what, KeyLocks.Action<T> work) {
        try {
            return work.run();
        } catch (IOException error) {
            throw FileFaults.cannot(action, what, root, error);
        }
    }
}
