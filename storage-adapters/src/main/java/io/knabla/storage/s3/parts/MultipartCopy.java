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

/** Copies objects within a bucket, the server doing all the work. */
public final class MultipartCopy {
    /** {@code CopyObject} takes 5 GiB (its reference in the Amazon S3 API), but parts are copied at once. */
    public static final long MAX_WHOLE = 1L << 30;

    public static final long PART = 128 * PartPlan.MIB;
    private static final int AT_ONCE = 8;
    private static final int PRECONDITION_FAILED = 412;

    private final S3Bucket bucket;
    private final Multiparts multiparts;
    private final long maxWhole;
    private final long partSize;

    /**
     * @param maxWhole bytes of the largest object that is copied by one request
     * @param partSize bytes that one request copies of a larger one
     */
    public MultipartCopy(S3Bucket bucket, long maxWhole, long partSize) {
        this.bucket = bucket;
        this.multiparts = new Multiparts(bucket);
        this.maxWhole = maxWhole;
        this.partSize = partSize;
    }

    /** Answers the copy's etag, or empty when {@code from} is not that version. */
    Optional<String> copy(ObjectKey from, String etag, ObjectKey to) {
        Optional<HeadObjectResponse> source =
                multiparts.head(from).filter(head -> head.eTag().equals(etag));
        if (source.isEmpty()) {
            return Optional.empty();
        }
        long size = source.get().contentLength();
        // To write an equal object anew would change its etag under those who read it in ranges.
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
        // Asked for, because one server answers a copy's etag without the quotes that HEAD gives.
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
        return PartTasks.all(AT_ONCE, tasks -> {
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
