package io.knabla.storage.s3;

import io.knabla.storage.ByteRange;
import io.knabla.storage.ForeignAddress;
import io.knabla.storage.ForeignObjects;
import io.knabla.storage.StorageException;
import java.io.InputStream;
import java.util.Map;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Objects of any bucket, read with this process's own credentials by one client. */
public final class S3ForeignObjects implements ForeignObjects {
    private static final int PARALLELISM = 6;

    private final S3Settings settings;
    private final S3Bucket clients;

    private S3ForeignObjects(S3Settings settings) {
        this.settings = settings;
        // A client belongs to no bucket; requests name theirs.
        this.clients = new S3Bucket(new S3Location("any", ""), settings);
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
            return new Look.Refused(sentence(address, failed));
        }
    }

    @Override
    public InputStream open(ForeignAddress address, String etag, ByteRange range) {
        try {
            return client().getObject(
                            get ->
                                    get.bucket(address.bucket())
                                            .key(address.key())
                                            .ifMatch(etag)
                                            .range(S3Ranges.header(range)));
        } catch (SdkException failed) {
            throw new StorageException(sentence(address, failed), failed);
        }
    }

    private String sentence(ForeignAddress address, SdkException failed) {
        int status = failed instanceof S3Exception answered ? answered.statusCode() : 0;
        return switch (status) {
            case 404 ->
                    hasBucket(address)
                            ? "there is no object '%s' in bucket %s; correct the key, which is taken as it stands, without %%-escapes"
                                    .formatted(address.key(), address.bucket())
                            : "there is no bucket '%s' at %s; correct the name, or set KNABLA_S3_ENDPOINT for another server"
                                    .formatted(address.bucket(), server());
            case 401, 403 ->
                    "the platform's credentials may not read %s (%s). Allow them s3:GetObject on arn:aws:s3:::%s/%s, and kms:Decrypt on its key where it is encrypted with one; without s3:ListBucket an absent object is answered so too"
                            .formatted(
                                    address,
                                    reason(failed, "denied"),
                                    address.bucket(),
                                    address.key());
            case 301, 307, 400 ->
                    "%s refuses to give %s (%s); where the bucket is in another region, set AWS_REGION to that region"
                            .formatted(server(), address, reason(failed, "status " + status));
            case 412 ->
                    "%s was replaced while it was read; deploy again to take the new one"
                            .formatted(address);
            case 0 ->
                    "cannot reach %s for %s: %s. Set AWS_* to credentials that may read it, and KNABLA_S3_ENDPOINT where it is not on AWS"
                            .formatted(server(), address, trouble(failed));
            default ->
                    "%s does not give %s (%s); try again, or look at that server"
                            .formatted(server(), address, reason(failed, "status " + status));
        };
    }

    /** The SDK lists every place that it looked for credentials in: a page of text. */
    private static String trouble(SdkException failed) {
        String said = String.valueOf(failed.getMessage());
        return said.startsWith("Unable to load credentials") ? "there are no credentials" : said;
    }

    private static String reason(SdkException failed, String otherwise) {
        return failed instanceof S3Exception answered
                        && answered.awsErrorDetails() != null
                        && answered.awsErrorDetails().errorCode() != null
                ? answered.awsErrorDetails().errorCode()
                : otherwise;
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
        return clients.client();
    }

    @Override
    public int parallelism() {
        return PARALLELISM;
    }

    @Override
    public void close() {
        clients.close();
    }
}
