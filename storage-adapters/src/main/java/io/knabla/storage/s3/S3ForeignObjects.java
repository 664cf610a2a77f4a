package io.knabla.storage.s3;

import io.knabla.storage.Advice;
import io.knabla.storage.ByteRange;
import io.knabla.storage.ForeignAddress;
import io.knabla.storage.ForeignObjects;
import io.knabla.storage.StorageException;
import io.knabla.storage.StorageException.Kind;
import io.knabla.storage.s3.client.LateClient;
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

/** Objects of any bucket, read with this process's own credentials by one client. */
public final class S3ForeignObjects implements ForeignObjects {
    private final S3Settings settings;
    private final LateClient client;

    private S3ForeignObjects(S3Settings settings) {
        this.settings = settings;
        this.client = new LateClient(settings);
    }

    /** Touches nothing until asked. */
    public static S3ForeignObjects open(Map<String, String> environment) {
        return new S3ForeignObjects(S3Settings.of(environment));
    }

    @Override
    public Look look(ForeignAddress address) {
        try {
            HeadObjectResponse head =
                    client().headObject(ask -> ask.bucket(address.bucket()).key(address.key()));
            return new Look.Found(head.contentLength(), head.eTag());
        } catch (SdkException failed) {
            return new Look.Refused(advice(address, failed).text());
        }
    }

    /** A stream that breaks is resumed, of the same state of the object. */
    @Override
    public InputStream open(ForeignAddress address, String etag, ByteRange range) {
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

    private ResponseInputStream<GetObjectResponse> get(ForeignAddress address, String etag, ByteRange range) {
        return client().getObject(get ->
                get.bucket(address.bucket()).key(address.key()).ifMatch(etag).range(S3Ranges.header(range)));
    }

    private StorageException failure(ForeignAddress address, SdkException failed) {
        return advice(address, failed).failed("", failed);
    }

    private Advice advice(ForeignAddress address, SdkException failed) {
        int status = failed instanceof S3Exception answered ? answered.statusCode() : 0;
        return switch (status) {
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

    private Advice unanswered(ForeignAddress address, SdkException failed) {
        Advice why = S3Faults.advice(Action.READ, new S3Location(address.bucket(), ""), failed);
        return new Advice(
                why.kind(), "cannot read %s from %s: %s".formatted(address, server(), why.problem()), why.cure());
    }

    private Advice absent(ForeignAddress address) {
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

    /** Where that cannot be told either, the key is the likelier mistake. */
    private boolean hasBucket(ForeignAddress address) {
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
