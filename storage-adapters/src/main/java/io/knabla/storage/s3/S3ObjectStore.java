package io.knabla.storage.s3;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.PresignedUploads;
import io.knabla.storage.StoredObject;
import io.knabla.storage.WrongSizeException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Objects in S3; conditional writes decide races. */
public final class S3ObjectStore implements ObjectStore {
    private final S3Bucket bucket;

    private S3ObjectStore(S3Bucket bucket) {
        this.bucket = bucket;
    }

    /** Touches nothing until asked. */
    public static S3ObjectStore open(String location, Map<String, String> environment) {
        return new S3ObjectStore(
                new S3Bucket(S3Location.parse(location), S3Settings.of(environment)));
    }

    @Override
    public Optional<StoredObject> read(ObjectKey key) {
        try {
            var read =
                    bucket.client()
                            .getObjectAsBytes(
                                    get -> get.bucket(bucket.name()).key(bucket.name(key)));
            return Optional.of(new StoredObject(read.asByteArrayUnsafe(), read.response().eTag()));
        } catch (NoSuchKeyException absent) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<ObjectInfo> stat(ObjectKey key) {
        try {
            HeadObjectResponse head =
                    bucket.client()
                            .headObject(ask -> ask.bucket(bucket.name()).key(bucket.name(key)));
            return Optional.of(
                    new ObjectInfo(key, head.contentLength(), head.eTag(), head.lastModified()));
        } catch (NoSuchKeyException absent) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        if (range.length() == 0) {
            return stat(key).map(_ -> InputStream.nullInputStream());
        }
        try {
            InputStream in =
                    bucket.client()
                            .getObject(
                                    get ->
                                            get.bucket(bucket.name())
                                                    .key(bucket.name(key))
                                                    .range(header(range)));
            return Optional.of(in);
        } catch (NoSuchKeyException absent) {
            return Optional.empty();
        } catch (S3Exception refused) {
            if (refused.statusCode() == 416) {
                return Optional.of(InputStream.nullInputStream());
            }
            throw refused;
        }
    }

    /** Empty for the whole object. */
    private static String header(ByteRange range) {
        if (range.equals(ByteRange.ALL)) {
            return null;
        }
        // A length beyond the last possible byte means "to the end", which HTTP writes as nothing.
        boolean toTheEnd = range.length() - 1 > Long.MAX_VALUE - range.offset();
        return "bytes="
                + range.offset()
                + "-"
                + (toTheEnd ? "" : Long.toString(range.offset() + range.length() - 1));
    }

    @Override
    public String write(ObjectKey key, Content content) throws IOException {
        return put(key, content, _ -> {}).orElseThrow();
    }

    @Override
    public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
        return put(key, content, put -> put.ifNoneMatch("*"));
    }

    @Override
    public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content)
            throws IOException {
        return put(key, content, put -> put.ifMatch(etag));
    }

    private Optional<String> put(
            ObjectKey key, Content content, Consumer<PutObjectRequest.Builder> condition)
            throws IOException {
        byte[] bytes;
        try (InputStream in = content.open()) {
            bytes = in.readAllBytes();
        }
        if (bytes.length != content.size()) {
            throw new WrongSizeException(key, content.size(), Integer.toString(bytes.length));
        }
        try {
            return Optional.of(
                    bucket.client()
                            .putObject(
                                    put -> {
                                        put.bucket(bucket.name()).key(bucket.name(key));
                                        condition.accept(put);
                                    },
                                    RequestBody.fromBytes(bytes))
                            .eTag());
        } catch (NoSuchKeyException absent) {
            return Optional.empty();
        } catch (S3Exception refused) {
            if (refused.statusCode() == 409) {
                return put(key, content, condition);
            }
            if (refused.statusCode() == 412) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    @Override
    public Stream<ObjectInfo> list(String prefix) {
        if (!ObjectKey.isWellFormed(prefix) && !ObjectKey.isWellFormed(prefix + "x")) {
            // No key starts so, and some servers resolve dots in a prefix as if it were a path.
            return Stream.empty();
        }
        return bucket
                .client()
                .listObjectsV2Paginator(
                        list ->
                                list.bucket(bucket.name())
                                        .prefix(bucket.location().prefix() + prefix))
                .contents()
                .stream()
                .map(
                        found ->
                                new ObjectInfo(
                                        bucket.location().key(found.key()),
                                        found.size(),
                                        found.eTag(),
                                        found.lastModified()));
    }

    @Override
    public boolean delete(ObjectKey key) {
        if (stat(key).isEmpty()) {
            return false;
        }
        bucket.client().deleteObject(gone -> gone.bucket(bucket.name()).key(bucket.name(key)));
        return true;
    }

    @Override
    public Optional<PresignedUploads> presigned() {
        return Optional.of(
                new MultipartPresigned(
                        bucket,
                        MultipartPresigned.PART,
                        new MultipartCopy(bucket, MultipartCopy.MAX_WHOLE, MultipartCopy.PART)));
    }

    @Override
    public String location() {
        return bucket.location().toString();
    }

    @Override
    public void close() {
        bucket.close();
    }
}
