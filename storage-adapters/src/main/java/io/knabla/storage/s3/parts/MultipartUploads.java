package io.knabla.storage.s3.parts;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.faults.S3Faults;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Makes the multipart upload calls of one bucket; throws the SDK's exceptions. */
public final class MultipartUploads {
    /** An abort may race with a part that is still arriving; the "AbortMultipartUpload" reference says to repeat it. */
    private static final int ABORTS = 3;

    private final S3Bucket bucket;

    public MultipartUploads(S3Bucket bucket) {
        this.bucket = bucket;
    }

    public String create(ObjectKey key, Consumer<CreateMultipartUploadRequest.Builder> more) {
        return bucket.client()
                .createMultipartUpload(create -> {
                    create.bucket(bucket.name()).key(bucket.name(key));
                    bucket.settings().encryption().apply(create);
                    more.accept(create);
                })
                .uploadId();
    }

    /** Returns the newest incomplete upload of this key. */
    public Optional<String> newestIncomplete(ObjectKey key) {
        try (Stream<MultipartUpload> uploads = uploads(key.path())) {
            return uploads.filter(upload -> upload.key().equals(bucket.name(key)))
                    .max(Comparator.comparing(MultipartUpload::initiated))
                    .map(MultipartUpload::uploadId);
        }
    }

    /** Lists the incomplete uploads of keys with this prefix in the store. */
    public Stream<MultipartUpload> uploads(String prefix) {
        return bucket
                .client()
                .listMultipartUploadsPaginator(list ->
                        list.bucket(bucket.name()).prefix(bucket.location().prefix() + prefix))
                .uploads()
                .stream();
    }

    /**
     * Returns the stored parts by number.
     *
     * @throws NoSuchUploadException if it was completed or aborted
     */
    public Map<Integer, Part> parts(ObjectKey key, String id) {
        return parts(bucket.name(key), id);
    }

    private Map<Integer, Part> parts(String name, String id) {
        Map<Integer, Part> parts = new TreeMap<>();
        bucket.client()
                .listPartsPaginator(list -> list.bucket(bucket.name()).key(name).uploadId(id))
                .parts()
                .forEach(part -> parts.put(part.partNumber(), part));
        return parts;
    }

    /** Converts a stored part for the completion request. */
    static CompletedPart completed(Part part) {
        return CompletedPart.builder()
                .partNumber(part.partNumber())
                .eTag(part.eTag())
                .checksumCRC32(part.checksumCRC32())
                .build();
    }

    /**
     * Completes an upload and returns the etag of the object.
     *
     * @param size bytes of the object; some servers copy it once more before they respond
     */
    String complete(
            ObjectKey key,
            String id,
            List<CompletedPart> parts,
            long size,
            Consumer<CompleteMultipartUploadRequest.Builder> condition) {
        try {
            return bucket.client(size)
                    .completeMultipartUpload(complete -> {
                        complete.bucket(bucket.name()).key(bucket.name(key)).uploadId(id);
                        complete.multipartUpload(all -> all.parts(parts));
                        condition.accept(complete);
                    })
                    .eTag();
        } catch (S3Exception refused) {
            throw withStatus(refused);
        }
    }

    /** The call may return status 200 with an error in the body ("CompleteMultipartUpload"). */
    private static S3Exception withStatus(S3Exception refused) {
        int status = switch (S3Faults.code(refused)) {
            case "PreconditionFailed" -> 412;
            case "ConditionalRequestConflict" -> 409;
            default -> refused.statusCode();
        };
        return status == refused.statusCode()
                ? refused
                : (S3Exception) refused.toBuilder().statusCode(status).build();
    }

    /** Aborts an upload and frees its parts; returns false if it does not exist. */
    public boolean abort(ObjectKey key, String id) {
        return abort(bucket.name(key), id);
    }

    private boolean abort(String name, String id) {
        boolean was = false;
        for (int i = 0; i < ABORTS; i++) {
            try {
                bucket.client()
                        .abortMultipartUpload(
                                abort -> abort.bucket(bucket.name()).key(name).uploadId(id));
                was = true;
                if (isGone(name, id)) {
                    return true;
                }
            } catch (NoSuchUploadException gone) {
                return was;
            }
        }
        return was;
    }

    private boolean isGone(String name, String id) {
        try {
            return !bucket.client()
                    .listParts(list ->
                            list.bucket(bucket.name()).key(name).uploadId(id).maxParts(1))
                    .hasParts();
        } catch (NoSuchUploadException gone) {
            return true;
        }
    }

    public Optional<HeadObjectResponse> head(ObjectKey key) {
        try {
            return Optional.of(bucket.client()
                    .headObject(head -> head.bucket(bucket.name()).key(bucket.name(key))));
        } catch (NoSuchKeyException absent) {
            return Optional.empty();
        }
    }

    /**
     * Aborts the uploads without progress since then, and returns how many. Also checks the time of the last part: an
     * upload may take days, and one server dates the start of every upload to 2010.
     */
    public int abortStale(Instant olderThan) {
        try (Stream<MultipartUpload> uploads = uploads("")) {
            return (int) uploads.filter(upload -> bucket.location().isKey(upload.key()))
                    .filter(upload -> upload.initiated().isBefore(olderThan))
                    .filter(upload -> lastPart(upload).isBefore(olderThan))
                    .filter(upload -> abort(upload.key(), upload.uploadId()))
                    .count();
        }
    }

    private Instant lastPart(MultipartUpload upload) {
        try {
            return parts(upload.key(), upload.uploadId()).values().stream()
                    .map(Part::lastModified)
                    .reduce(Instant.MIN, (a, b) -> a.isAfter(b) ? a : b);
        } catch (NoSuchUploadException gone) {
            return Instant.MAX;
        }
    }
}
