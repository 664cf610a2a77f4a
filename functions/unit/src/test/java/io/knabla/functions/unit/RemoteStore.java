package io.knabla.functions.unit;

import io.knabla.storage.ByteRange;
import io.knabla.storage.ForwardingStore;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.file.FileObjectStore;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Object store without local files that several processes share; counts the bytes read from blobs. */
final class RemoteStore extends ForwardingStore {
    final AtomicLong blobBytes = new AtomicLong();

    RemoteStore(Path folder) {
        super(Files.isDirectory(folder) ? FileObjectStore.openToRead(folder) : FileObjectStore.open(folder));
    }

    @Override
    public int parallelism() {
        return 2;
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        return super.open(key, range).map(in -> key.path().startsWith("blobs/") ? counted(in) : in);
    }

    private InputStream counted(InputStream below) {
        return new FilterInputStream(below) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                int read = in.read(bytes, offset, length);
                blobBytes.addAndGet(Math.max(0, read));
                return read;
            }
        };
    }
}
