package io.knabla.storage.file;

import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * Computes an etag from modification time in nanoseconds and size. {@link StagedFile} increases the modification time
 * of a key with every write, so no etag recurs.
 */
final class Etags {
    private Etags() {}

    static String of(BasicFileAttributes file) {
        long nanos = file.lastModifiedTime().to(TimeUnit.NANOSECONDS);
        return Long.toHexString(nanos).concat("-").concat(Long.toHexString(file.size()));
    }
}
