package io.knabla.storage.s3;

import io.knabla.storage.Advice;
import io.knabla.storage.ByteRange;
import io.knabla.storage.ExternalAddress;
import io.knabla.storage.ExternalObjects;
import io.knabla.storage.StorageException;
import io.knabla.storage.StorageException.Kind;
import io.knabla.storage.s3.client.LazyClient;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.faults.Action;
import io.knabla.storage.s3.faults.S3Faults;
import io.knabla.storage.s3.faults.S3Location;
import java.io.InputStream;
import java.util.Map;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Reads objects of any bucket with this process's credentials. */
public final class S3ExternalObjects implements ExternalObjects {
    private final S3Settings settings;
    private final LazyClient client;

    private S3ExternalObjects(S3Settings settings) {
        this.settings = settings;
        this.client = new LazyClient(settings);
    }

    /** Sends no request yet. */
    public static S3ExternalObjects open(Map<String, String> environment) {
        return new S3ExternalObjects(S3Settings.of(environment));
    }

    @Override
    public StatResult stat(ExternalAddress address) {
        try {
            HeadObjectResponse head =
                    client().headObject(ask -> ask.bucket(address.bucket()).key(address.key()));
            return new StatResult.Found(head.contentLength(), head.eTag());
        } catch (SdkException failed) {
            Advice why = advice(address, failed);
            return status(failed) == 404 && why.kind() == Kind.BAD_OBJECT
                    ? new StatResult.Absent(why.text())
                    : new StatResult.Refused(why.text());
        }
    }

    /** Opens a stream that resumes after a break, on the same version of the object. */
    @Override
    public InputStream open(ExternalAddress address, String etag, ByteRange range) {
        try {
            return new ResumingStream(
                    get(address, etag, range),
                    range,
                    (rest, same) -> get(address, same, rest),
                    failed -> failure(address, failed));
        } catch (SdkException failed) {
            throw failure(address, failed);
        }
    }

    private ResponseInputStream<GetObjectResponse> get(ExternalAddress address, String etag, ByteRange range) {
        return client().getObject(get ->
                get.bucket(address.bucket()).key(address.key()).ifMatch(etag).range(S3Ranges.header(range)));
    }

    private StorageException failure(ExternalAddress address, SdkException failed) {
        return advice(address, failed).failed("", failed);
    }

    private Advice advice(ExternalAddress address, SdkException failed) {
        return switch (status(failed)) {
            case 404 -> absent(address);
            case 401, 403 ->
                new Advice(
                        Kind.ACCESS_DENIED,
                        "the platform's credentials may not read %s (%s)."
                                .formatted(address, S3Faults.code((S3Exception) failed)),
                        "Allow them s3:GetObject on arn:aws:s3:::%s/%s, and kms:Decrypt on its key where it is encrypted with one; without s3:ListBucket an absent object is answered so too"
                                .formatted(address.bucket(), address.key()));
            case 412 ->
                new Advice(
                        Kind.BAD_OBJECT,
                        "%s was replaced while it was read;".formatted(address),
                        "deploy again to take the new one");
            default -> unanswered(address, failed);
        };
    }

    /** 0 if there was no answer. */
    private static int status(SdkException failed) {
        return failed instanceof S3Exception answered ? answered.statusCode() : 0;
    }

    private Advice unanswered(ExternalAddress address, SdkException failed) {
        Advice why = S3Faults.advice(Action.READ, new S3Location(address.bucket(), ""), failed);
        return new Advice(
                why.kind(), "cannot read %s from %s: %s".formatted(address, server(), why.problem()), why.cure());
    }

    private Advice absent(ExternalAddress address) {
        return hasBucket(address)
                ? new Advice(
                        Kind.BAD_OBJECT,
                        "there is no object '%s' in bucket %s;".formatted(address.key(), address.bucket()),
                        "correct the key, which is taken as it stands, without %-escapes")
                : new Advice(
                        Kind.BUCKET_MISSING,
                        "there is no bucket '%s' at %s;".formatted(address.bucket(), server()),
                        "correct the name, or set KNABLA_S3_ENDPOINT for another server");
    }

    /** If the check fails, a wrong key is the likelier mistake. */
    private boolean hasBucket(ExternalAddress address) {
        try {
            client().headBucket(ask -> ask.bucket(address.bucket()));
            return true;
        } catch (SdkException failed) {
            return !(failed instanceof S3Exception answered && answered.statusCode() == 404);
        }
    }

    private String server() {
        return settings.endpoint().map(Object::toString).orElse("AWS");
    }

    private S3Client client() {
        return client.get();
    }

    @Override
    public int parallelism() {
        return S3Ranges.AT_ONCE;
    }

    @Override
    public void close() {
        client.close();
    }
}
