package io.knabla.storage.file;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.WrongSizeException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;

/** Writes contents to temporary files on the file system of the store, before they become visible. */
final class Staging {
    private static final int BUFFER_BYTES = 128 * 1024;

    private final Path root;
    private final Path tmp;
    private final DurableFolders folders;
    private final InstantSource clock;
    private WriterTempFolder area;
    private boolean closed;

    Staging(Path root, InstantSource clock) {
        this.root = root;
        this.tmp = root.resolve("tmp");
        this.folders = new DurableFolders(root);
        this.clock = clock;
    }

    static void makeRoot(Path root) throws IOException {
        if (Files.exists(root) && !Files.isDirectory(root)) {
            throw new NotDirectoryException(root.toString());
        }
        Files.createDirectories(root);
    }

    int sweep() {
        return WriterTempFolder.sweep(tmp);
    }

    DurableFolders folders() {
        return folders;
    }

    /** Creates the folders at the first write: a store that is only read needs no write permission. */
    synchronized WriterTempFolder prepare() throws IOException {
        if (closed) {
            throw new IllegalStateException("the store " + root + " is closed");
        }
        if (area == null) {
            makeRoot(root);
            folders.ensure(root.resolve("locks"));
            folders.ensure(tmp);
            area = WriterTempFolder.open(tmp);
        }
        return area;
    }

    /** Throws {@code IOException} if the content fails, StorageException if the disk does. */
    StagedFile stage(ObjectKey key, Content content) throws IOException {
        Path file = newFile(key);
        StagedFile staged = new StagedFile(file);
        try {
            copy(key, content, file);
            return staged;
        } catch (Throwable failed) {
            staged.close();
            throw failed;
        }
    }

    private Path newFile(ObjectKey key) {
        try {
            return prepare().newFile();
        } catch (IOException error) {
            throw FileFaults.cannot("write", key, root, error);
        }
    }

    private void copy(ObjectKey key, Content content, Path file) throws IOException {
        try (InputStream in = content.open();
                FileChannel out = create(key, file)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            long size = content.size();
            long copied = 0;
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                copied += n;
                if (copied > size) {
                    throw new WrongSizeException(key, size, "more");
                }
                append(key, out, ByteBuffer.wrap(buffer, 0, n));
            }
            if (copied < size) {
                throw new WrongSizeException(key, size, Long.toString(copied));
            }
            flush(key, file, out);
        }
    }

    private FileChannel create(ObjectKey key, Path file) {
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException error) {
            throw FileFaults.cannot("write", key, root, error);
        }
    }

    private void append(ObjectKey key, FileChannel out, ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        } catch (IOException error) {
            throw FileFaults.cannot("write", key, root, error);
        }
    }

    /** Sets the time explicitly: kernel timestamps have a resolution of milliseconds, too coarse for etags. */
    private void flush(ObjectKey key, Path file, FileChannel out) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
            out.force(true);
        } catch (IOException error) {
            throw FileFaults.cannot("write", key, root, error);
        }
    }

    synchronized void close() {
        closed = true;
        if (area != null) {
            try {
                area.close();
            } catch (IOException error) {
                throw FileFaults.cannot("close", "tmp", root, error);
            } finally {
                area = null;
            }
        }
    }

    static void closeQuietly(InputStream in) {
        try {
            if (in != null) {
                in.close();
            }
        } catch (IOException ignored) {
            // The error that led here is more useful.
        }
    }
}
