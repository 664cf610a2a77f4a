package io.knabla.storage.s3.parts;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.client.S3Bucket;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Copies objects within a bucket on the server, by one request or in parts. */
public final class MultipartCopy {
    /** {@code CopyObject} takes up to 5 GiB (Amazon S3 API reference), but parts are copied concurrently. */
    public static final long MAX_WHOLE = 1L << 30;

    public static final long PART = 128 * PartPlan.MIB;
    private static final int AT_ONCE = 8;
    private static final int PRECONDITION_FAILED = 412;

    private final S3Bucket bucket;
    private final MultipartUploads multiparts;
    private final long maxWhole;
    private final long partSize;

    /**
     * @param maxWhole largest object in bytes that is copied by one request
     * @param partSize bytes per part of a larger object
     */
    public MultipartCopy(S3Bucket bucket, long maxWhole, long partSize) {
        this.bucket = bucket;
        this.multiparts = new MultipartUploads(bucket);
        this.maxWhole = maxWhole;
        this.partSize = partSize;
    }

    /** Returns the etag of the copy, or empty if {@code from} does not have the given etag. */
    Optional<String> copy(ObjectKey from, String etag, ObjectKey to) {
        Optional<HeadObjectResponse> source =
                multiparts.head(from).filter(head -> head.eTag().equals(etag));
        if (source.isEmpty()) {
            return Optional.empty();
        }
        long size = source.get().contentLength();
        // Rewriting an equal object would change its etag and break concurrent range reads.
        Optional<String> there = etag(to, size);
        if (there.isPresent()) {
            return there;
        }
        try {
            if (size <= maxWhole) {
                whole(from, etag, to, size);
            } else {
                parts(from, etag, to, PartPlan.of(size, partSize));
            }
        } catch (S3Exception refused) {
            if (refused.statusCode() == PRECONDITION_FAILED || refused instanceof NoSuchKeyException) {
                return Optional.empty();
            }
            throw refused;
        }
        // By HEAD, because one server returns the etag of a copy without quotes.
        return etag(to, size);
    }

    private Optional<String> etag(ObjectKey key, long size) {
        return multiparts.head(key).filter(head -> head.contentLength() == size).map(HeadObjectResponse::eTag);
    }

    private void whole(ObjectKey from, String etag, ObjectKey to, long size) {
        bucket.client(size).copyObject(copy -> {
            copy.sourceBucket(bucket.name()).sourceKey(bucket.name(from));
            copy.copySourceIfMatch(etag);
            copy.destinationBucket(bucket.name()).destinationKey(bucket.name(to));
            bucket.settings().encryption().apply(copy);
        });
    }

    private void parts(ObjectKey from, String etag, ObjectKey to, PartPlan plan) {
        String id = multiparts.create(to, _ -> {});
        boolean done = false;
        try {
            multiparts.complete(to, id, copied(from, etag, to, id, plan), plan.size(), _ -> {});
            done = true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw AbortedException.create("interrupted while copying " + from, stopped);
        } finally {
            if (!done) {
                multiparts.abort(to, id);
            }
        }
    }

    private List<CompletedPart> copied(ObjectKey from, String etag, ObjectKey to, String id, PartPlan plan)
            throws InterruptedException {
        return PartTasks.runAll(AT_ONCE, tasks -> {
            for (int n = 1; n <= plan.parts(); n++) {
                int number = n;
                tasks.start(() -> part(from, etag, to, id, plan, number));
            }
        });
    }

    private CompletedPart part(ObjectKey from, String etag, ObjectKey to, String id, PartPlan plan, int number) {
        long first = plan.offset(number);
        long last = first + plan.length(number) - 1;
        String copied = bucket.client(plan.length(number))
                .uploadPartCopy(copy -> copy.sourceBucket(bucket.name())
                        .sourceKey(bucket.name(from))
                        .copySourceIfMatch(etag)
                        .copySourceRange("bytes=" + first + "-" + last)
                        .destinationBucket(bucket.name())
                        .destinationKey(bucket.name(to))
                        .uploadId(id)
                        .partNumber(number))
                .copyPartResult()
                .eTag();
        return CompletedPart.builder().partNumber(number).eTag(copied).build();
    }
}
