package io.knabla.storage.file;

import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * An etag is the modification time in nanoseconds and the size. {@link Staged} sees to it that a key's modification
 * time moves on with every write, so no etag comes back.
 */
final class Etags {
    private Etags() {}

    static String of(BasicFileAttributes file) {
        long nanos = file.lastModifiedTime().to(TimeUnit.NANOSECONDS);
        return Long.toHexString(nanos).concat("-").concat(Long.toHexString(file.size()));
    }
}
