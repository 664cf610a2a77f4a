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

/** The multipart calls of one bucket; what they throw is the SDK's. */
public final class Multiparts {
    /** An abort may race with a part that is still arriving ("AbortMultipartUpload" says: repeat). */
    private static final int ABORTS = 3;

    private final S3Bucket bucket;

    public Multiparts(S3Bucket bucket) {
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

    /** The youngest unfinished upload of exactly that key. */
    public Optional<String> unfinished(ObjectKey key) {
        try (Stream<MultipartUpload> uploads = uploads(key.path())) {
            return uploads.filter(upload -> upload.key().equals(bucket.name(key)))
                    .max(Comparator.comparing(MultipartUpload::initiated))
                    .map(MultipartUpload::uploadId);
        }
    }

    /** Unfinished uploads of keys below the store's place that start so. */
    public Stream<MultipartUpload> uploads(String prefix) {
        return bucket
                .client()
                .listMultipartUploadsPaginator(list ->
                        list.bucket(bucket.name()).prefix(bucket.location().prefix() + prefix))
                .uploads()
                .stream();
    }

    /**
     * What has arrived, by number.
     *
     * @throws NoSuchUploadException when it was completed or given up
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

    /** How a part that arrived is named when the object is made of its parts. */
    static CompletedPart completed(Part part) {
        return CompletedPart.builder()
                .partNumber(part.partNumber())
                .eTag(part.eTag())
                .checksumCRC32(part.checksumCRC32())
                .build();
    }

    /**
     * Answers the object's etag.
     *
     * @param size bytes of the object, which some servers copy once more before they answer
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

    /** This call may be answered 200 before it is refused ("CompleteMultipartUpload"). */
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

    /** Frees the parts; answers false where there was no such upload. */
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
     * Frees the uploads that nobody touched since, and answers how many those were. When a part came is looked at too:
     * an upload may take days, and one server dates every beginning to 2010.
     */
    public int sweep(Instant olderThan) {
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
