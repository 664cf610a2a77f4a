package io.knabla.storage.s3;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Checkup;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.PresignedUploads;
import io.knabla.storage.StoredObject;
import io.knabla.storage.s3.check.S3Checkup;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.client.WriteCondition;
import io.knabla.storage.s3.faults.Action;
import io.knabla.storage.s3.faults.S3Faults;
import io.knabla.storage.s3.faults.S3Location;
import io.knabla.storage.s3.parts.MultipartCopy;
import io.knabla.storage.s3.parts.MultipartUploads;
import io.knabla.storage.s3.parts.S3PresignedUploads;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkException;

/** Stores objects in S3 under prefix and key; conditional writes decide races. */
public final class S3ObjectStore implements ObjectStore {
    private final S3Bucket bucket;
    private final S3Reader reader;
    private final S3Writer writer;

    private S3ObjectStore(S3Bucket bucket) {
        this.bucket = bucket;
        LineageCache lineages = new LineageCache();
        this.reader = new S3Reader(bucket, lineages);
        this.writer = new S3Writer(bucket, reader, lineages, new SecureRandom()::nextLong);
    }

    /**
     * Opens a store; sends no request yet.
     *
     * @param location {@code s3://bucket} or {@code s3://bucket/prefix}
     * @param environment settings by name; see {@link S3Settings}
     */
    public static S3ObjectStore open(String location, Map<String, String> environment) {
        return new S3ObjectStore(new S3Bucket(S3Location.parse(location), S3Settings.of(environment)));
    }

    /** Opens a store for reading only, which loads the SDK only where it must; reads the settings on first use. */
    public static ObjectStore openToRead(String location, Map<String, String> environment) {
        return new S3LazyStore(location, environment);
    }

    @Override
    public Optional<StoredObject> read(ObjectKey key) {
        return reader.read(key);
    }

    @Override
    public Optional<ObjectInfo> stat(ObjectKey key) {
        return reader.stat(key);
    }

    @Override
    public Optional<InputStream> open(ObjectKey key, ByteRange range) {
        return reader.open(key, range);
    }

    @Override
    public int parallelism() {
        return S3Ranges.AT_ONCE;
    }

    @Override
    public String write(ObjectKey key, Content content) throws IOException {
        return writer.put(key, content, new WriteCondition.Always()).orElseThrow();
    }

    @Override
    public Optional<String> createOnce(ObjectKey key, Content content) throws IOException {
        return writer.put(key, content, new WriteCondition.Absent());
    }

    @Override
    public Optional<String> replaceIfMatch(ObjectKey key, String etag, Content content) throws IOException {
        return writer.put(key, content, new WriteCondition.Matches(etag));
    }

    @Override
    public Stream<ObjectInfo> list(String prefix) {
        return new S3Listing(bucket).list(prefix);
    }

    @Override
    public boolean delete(ObjectKey key) {
        if (stat(key).isEmpty()) {
            return false;
        }
        try {
            bucket.client().deleteObject(gone -> gone.bucket(bucket.name()).key(bucket.name(key)));
            return true;
        } catch (SdkException fault) {
            throw S3Faults.cannot(Action.DELETE, key, bucket.location(), fault);
        }
    }

    @Override
    public Optional<Checkup> checkup() {
        return Optional.of(new S3Checkup(bucket));
    }

    @Override
    public Optional<PresignedUploads> presigned() {
        return Optional.of(new S3PresignedUploads(
                bucket,
                S3PresignedUploads.PART,
                new MultipartCopy(bucket, MultipartCopy.MAX_WHOLE, MultipartCopy.PART)));
    }

    @Override
    public int abortStaleUploads(Instant olderThan) {
        try {
            return new MultipartUploads(bucket).abortStale(olderThan);
        } catch (SdkException fault) {
            throw S3Faults.cannot(Action.ABORT, bucket.location().prefix(), bucket.location(), fault);
        }
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
