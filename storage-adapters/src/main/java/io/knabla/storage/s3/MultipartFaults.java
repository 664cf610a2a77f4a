package io.knabla.storage.s3;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.StorageException;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;

/** Turns the SDK's failures into the port's. */
final class MultipartFaults {
    private MultipartFaults() {}

    /** @param verb what was tried, such as {@code copy} */
    static <T> T translated(String verb, ObjectKey key, S3Bucket bucket, Supplier<T> work) {
        try {
            return work.get();
        } catch (SdkException failed) {
            throw new StorageException(
                    "cannot %s '%s' in the store %s: %s"
                            .formatted(
                                    verb,
                                    key,
                                    bucket.location(),
                                    S3Faults.advice(Action.WRITE, bucket.location(), failed)),
                    failed);
        }
    }
}
