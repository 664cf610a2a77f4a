package io.knabla.storage.s3;

import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.faults.Action;
import io.knabla.storage.s3.faults.S3Faults;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Lists objects in key order; skips objects with names that are no valid key. */
final class S3Listing {
    /** Suffix of directory buckets, which list in no order ("ListObjectsV2"). */
    private static final String DIRECTORY_BUCKET = "--x-s3";

    private final S3Bucket bucket;

    S3Listing(S3Bucket bucket) {
        this.bucket = bucket;
    }

    Stream<ObjectInfo> list(String prefix) {
        if (!ObjectKey.isWellFormed(prefix) && !ObjectKey.isWellFormed(prefix + "x")) {
            // No key has this prefix, and some servers resolve dots in a prefix like a path.
            return Stream.empty();
        }
        String start = bucket.location().prefix() + prefix;
        Iterator<S3Object> objects = new Objects(prefix, start);
        Stream<ObjectInfo> found = StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(objects, Spliterator.NONNULL | Spliterator.DISTINCT), false)
                .filter(object -> object.key().startsWith(start) && isKey(object))
                .map(this::info);
        return comesInOrder() ? found : found.sorted(Comparator.comparing(ObjectInfo::key));
    }

    /** Servers other than AWS may walk folders and list {@code a/b} before {@code a-b}. */
    private boolean comesInOrder() {
        return bucket.settings().endpoint().isEmpty() && !bucket.name().endsWith(DIRECTORY_BUCKET);
    }

    private boolean isKey(S3Object object) {
        return ObjectKey.isWellFormed(
                object.key().substring(bucket.location().prefix().length()));
    }

    private ObjectInfo info(S3Object object) {
        return new ObjectInfo(
                bucket.location().key(object.key()),
                object.size(),
                object.eTag(),
                // Some lists have fractions of a second, a HEAD response never does.
                object.lastModified().truncatedTo(ChronoUnit.SECONDS));
    }

    /** Requests the first page on first use, and throws StorageException. */
    private final class Objects implements Iterator<S3Object> {
        private final String prefix;
        private final String start;
        private Iterator<S3Object> pages;

        Objects(String prefix, String start) {
            this.prefix = prefix;
            this.start = start;
        }

        @Override
        public boolean hasNext() {
            return told(() -> pages().hasNext());
        }

        @Override
        public S3Object next() {
            return told(() -> pages().next());
        }

        private Iterator<S3Object> pages() {
            if (pages == null) {
                pages = bucket.client()
                        .listObjectsV2Paginator(
                                list -> list.bucket(bucket.name()).prefix(start))
                        .contents()
                        .iterator();
            }
            return pages;
        }

        private <T> T told(Supplier<T> ask) {
            try {
                return ask.get();
            } catch (SdkException fault) {
                throw S3Faults.cannot(Action.LIST, prefix, bucket.location(), fault);
            }
        }
    }
}
