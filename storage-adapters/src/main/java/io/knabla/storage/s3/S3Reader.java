package io.knabla.storage.s3;

import io.knabla.storage.ByteRange;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.StoredObject;
import io.knabla.storage.s3.client.Digests;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.faults.Action;
import io.knabla.storage.s3.faults.S3Faults;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Reads objects of S3; caches the {@link Lineage} of each, which saves a later write of it one request. */
final class S3Reader {
    private static final int NOT_FOUND = 404;
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final ByteRange FIRST_BYTE = new ByteRange(0, 1);
    private static final Pattern LOOKS_LIKE_MD5 = Pattern.compile("\"?[0-9a-f]{32}\"?");

    /** Maximum of repeated reads, for a server that returns a new etag at every read. */
    private static final int RACES = 20;

    /** One version of an object. */
    record Version(String etag, Lineage lineage) {}

    private final S3Bucket bucket;
    private final LineageCache lineages;

    S3Reader(S3Bucket bucket, LineageCache lineages) {
        this.bucket = bucket;
        this.lineages = lineages;
    }

    Optional<StoredObject> read(ObjectKey key) {
        return present(key, () -> readConsistent(key)).map(read -> {
            GetObjectResponse is = read.response();
            version(key, is.eTag(), is.metadata());
            return new StoredObject(read.asByteArrayUnsafe(), is.eTag());
        });
    }

    /**
     * Reads again until etag and content belong together. A server may look up an etag and then open the content that
     * has replaced the object since; Versity Gateway 1.8 does. If the next response repeats the etag, the etag belongs
     * to the content, which was current before that request.
     */
    private ResponseBytes<GetObjectResponse> readConsistent(ObjectKey key) {
        ResponseBytes<GetObjectResponse> read = whole(key);
        for (int race = 0; race < RACES && mayMismatch(read); race++) {
            ResponseBytes<GetObjectResponse> next = whole(key);
            if (next.response().eTag().equals(read.response().eTag())) {
                return read;
            }
            read = next;
        }
        return read;
    }

    /** Returns whether the etag looks like an MD5, but not of these bytes. KMS encryption produces such etags, too. */
    private static boolean mayMismatch(ResponseBytes<GetObjectResponse> read) {
        GetObjectResponse is = read.response();
        byte[] bytes = read.asByteArrayUnsafe();
        return is.ssekmsKeyId() == null
                && LOOKS_LIKE_MD5.matcher(is.eTag()).matches()
                && !Digests.isMd5(is.eTag(), bytes, bytes.length);
    }

    /** The SDK verifies the bytes if the server stores a checksum. */
    private ResponseBytes<GetObjectResponse> whole(ObjectKey key) {
        return bucket.client()
                .getObjectAsBytes(
                        get -> get.bucket(bucket.name()).key(bucket.name(key)).checksumMode(ChecksumMode.ENABLED));
    }

    Optional<ObjectInfo> stat(ObjectKey key) {
        Optional<HeadObjectResponse> head = present(key, () -> head(key));
        return head.map(is -> new ObjectInfo(key, is.contentLength(), is.eTag(), is.lastModified()));
    }

    private HeadObjectResponse head(ObjectKey key) {
        try {
            return bucket.client().headObject(ask -> ask.bucket(bucket.name()).key(bucket.name(key)));
        } catch (S3Exception refused) {
            if (isAbsent(refused)) {
                bucket.requireExists();
            }
            throw refused;
        }
    }

    /**
     * Returns the current version. Requests the first byte, too, which proves that the metadata is complete: a HEAD
     * response may be truncated after any line unnoticed. Only an empty object is read by HEAD.
     *
     * @throws SdkException unchanged
     */
    Optional<Version> version(ObjectKey key) {
        try {
            return Optional.of(there(key));
        } catch (S3Exception refused) {
            if (isAbsent(refused)) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private Version there(ObjectKey key) {
        try {
            GetObjectResponse is = firstByte(key);
            return version(key, is.eTag(), is.metadata());
        } catch (S3Exception refused) {
            if (refused.statusCode() == RANGE_NOT_SATISFIABLE) {
                HeadObjectResponse empty = head(key);
                return version(key, empty.eTag(), empty.metadata());
            }
            throw refused;
        }
    }

    private GetObjectResponse firstByte(ObjectKey key) {
        return bucket.client()
                .getObjectAsBytes(
                        get -> get.bucket(bucket.name()).key(bucket.name(key)).range(S3Ranges.header(FIRST_BYTE)))
                .response();
    }

    private Version version(ObjectKey key, String etag, Map<String, String> metadata) {
        Lineage lineage = Lineage.of(metadata, etag);
        lineages.put(key, etag, lineage);
        return new Version(etag, lineage);
    }

    Optional<InputStream> open(ObjectKey key, ByteRange range) {
        if (range.length() == 0) {
            return stat(key).map(_ -> InputStream.nullInputStream());
        }
        try {
            return Optional.of(new ResumingStream(
                    get(key, range, null),
                    range,
                    (rest, etag) -> get(key, rest, etag),
                    fault -> S3Faults.cannot(Action.READ, key, bucket.location(), fault)));
        } catch (S3Exception refused) {
            if (refused.statusCode() == RANGE_NOT_SATISFIABLE) {
                return Optional.of(InputStream.nullInputStream());
            }
            if (isAbsent(refused)) {
                return Optional.empty();
            }
            throw S3Faults.cannot(Action.READ, key, bucket.location(), refused);
        } catch (SdkException fault) {
            throw S3Faults.cannot(Action.READ, key, bucket.location(), fault);
        }
    }

    /** @param etag required etag; null for any */
    private ResponseInputStream<GetObjectResponse> get(ObjectKey key, ByteRange range, String etag) {
        return bucket.client()
                .getObject(GetObjectRequest.builder()
                        .bucket(bucket.name())
                        .key(bucket.name(key))
                        .range(S3Ranges.header(range))
                        .ifMatch(etag)
                        .build());
    }

    /** Returns empty for an absent object; turns other failures into StorageException. */
    private <T> Optional<T> present(ObjectKey key, Supplier<T> ask) {
        try {
            return Optional.ofNullable(ask.get());
        } catch (S3Exception refused) {
            if (isAbsent(refused)) {
                return Optional.empty();
            }
            throw S3Faults.cannot(Action.READ, key, bucket.location(), refused);
        } catch (SdkException fault) {
            throw S3Faults.cannot(Action.READ, key, bucket.location(), fault);
        }
    }

    static boolean isAbsent(AwsServiceException refused) {
        return refused.statusCode() == NOT_FOUND && !S3Faults.code(refused).equals("NoSuchBucket");
    }
}
