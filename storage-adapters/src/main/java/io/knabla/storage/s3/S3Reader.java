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

/** Reads objects; what it learns of their lineage saves a later write a question. */
final class S3Reader {
    private static final int NOT_FOUND = 404;
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final ByteRange FIRST_BYTE = new ByteRange(0, 1);
    private static final Pattern LOOKS_LIKE_MD5 = Pattern.compile("\"?[0-9a-f]{32}\"?");

    /** Reads that meet a writer each time; who has other etags at every read is not read for ever. */
    private static final int RACES = 20;

    /** One of the contents that a key has had. */
    record Version(String etag, Lineage lineage) {}

    private final S3Bucket bucket;
    private final Lineages lineages;

    S3Reader(S3Bucket bucket, Lineages lineages) {
        this.bucket = bucket;
        this.lineages = lineages;
    }

    Optional<StoredObject> read(ObjectKey key) {
        return present(key, () -> paired(key)).map(read -> {
            GetObjectResponse is = read.response();
            version(key, is.eTag(), is.metadata());
            return new StoredObject(read.asByteArrayUnsafe(), is.eTag());
        });
    }

    /**
     * A server may look an etag up and then open what has replaced the object since; Versity Gateway 1.8 does. The next
     * answer tells: it was asked for when that content was there already, so an etag that it repeats is the content's
     * own.
     */
    private ResponseBytes<GetObjectResponse> paired(ObjectKey key) {
        ResponseBytes<GetObjectResponse> read = whole(key);
        for (int race = 0; race < RACES && mayBeAnothersEtag(read); race++) {
            ResponseBytes<GetObjectResponse> next = whole(key);
            if (next.response().eTag().equals(read.response().eTag())) {
                return read;
            }
            read = next;
        }
        return read;
    }

    /** An etag that is an MD5 by its looks, and not of these bytes. KMS makes such etags as well. */
    private static boolean mayBeAnothersEtag(ResponseBytes<GetObjectResponse> read) {
        GetObjectResponse is = read.response();
        byte[] bytes = read.asByteArrayUnsafe();
        return is.ssekmsKeyId() == null
                && LOOKS_LIKE_MD5.matcher(is.eTag()).matches()
                && !Digests.isMd5(is.eTag(), bytes, bytes.length);
    }

    /** The SDK compares the bytes with the checksum that the server keeps, where it keeps one. */
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
                bucket.mustExist();
            }
            throw refused;
        }
    }

    /**
     * Which write made the object that is there now. Asked for with its first byte, which proves that all the metadata
     * came: an answer to HEAD may be cut after any line, and nobody would notice. Only of an empty object that must do.
     *
     * @throws SdkException as the SDK throws it
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
        lineages.saw(key, etag, lineage);
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

    /** @param etag the only one to take; null for any */
    private ResponseInputStream<GetObjectResponse> get(ObjectKey key, ByteRange range, String etag) {
        return bucket.client()
                .getObject(GetObjectRequest.builder()
                        .bucket(bucket.name())
                        .key(bucket.name(key))
                        .range(S3Ranges.header(range))
                        .ifMatch(etag)
                        .build());
    }

    /** Absence is a value, all else the port's exception. */
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
