package io.knabla.storage.s3.check;

import io.knabla.storage.Checkup.Answer;
import io.knabla.storage.s3.client.S3Bucket;
import java.util.function.Supplier;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.ServerSideEncryptionByDefault;

/** How the bucket is set up. Knabla works without knowing, so not being told is no lack. */
final class S3Advice {
    private final S3Bucket bucket;

    S3Advice(S3Bucket bucket) {
        this.bucket = bucket;
    }

    private S3Client s3() {
        return bucket.client();
    }

    Answer encryption() {
        return told(
                () -> {
                    var rules = s3().getBucketEncryption(ask -> ask.bucket(bucket.name()))
                            .serverSideEncryptionConfiguration()
                            .rules();
                    return rules.stream()
                            .map(rule -> rule.applyServerSideEncryptionByDefault())
                            .filter(byDefault -> byDefault != null)
                            .findFirst()
                            .map(byDefault -> Answer.good("at rest: " + text(byDefault)))
                            .orElseGet(S3Advice::unencrypted);
                },
                "ServerSideEncryptionConfigurationNotFoundError",
                S3Advice::unencrypted);
    }

    private static String text(ServerSideEncryptionByDefault byDefault) {
        String key = byDefault.kmsMasterKeyID();
        return byDefault.sseAlgorithmAsString() + (key == null ? "" : " with key " + key);
    }

    private static Answer unencrypted() {
        return Answer.poor(
                "none by default",
                "encrypt the server's disks, or give the bucket a default encryption (aws s3api put-bucket-encryption)");
    }

    Answer versioning() {
        return told(
                () -> {
                    var status = s3().getBucketVersioning(ask -> ask.bucket(bucket.name()))
                            .status();
                    return status == BucketVersioningStatus.ENABLED
                            ? Answer.poor(
                                    "on: what Knabla replaces and deletes is kept, and paid for",
                                    "add a lifecycle rule with NoncurrentVersionExpiration, such as 7 days")
                            : Answer.good("off");
                },
                "",
                () -> Answer.good("off"));
    }

    Answer lifecycle() {
        return told(
                () -> {
                    var rules = s3().getBucketLifecycleConfiguration(ask -> ask.bucket(bucket.name()))
                            .rules();
                    return rules.stream().anyMatch(S3Advice::abortsUploads)
                            ? Answer.good("abandoned multipart uploads are aborted")
                            : noRule();
                },
                "NoSuchLifecycleConfiguration",
                S3Advice::noRule);
    }

    private static boolean abortsUploads(LifecycleRule rule) {
        return rule.status() == ExpirationStatus.ENABLED && rule.abortIncompleteMultipartUpload() != null;
    }

    private static Answer noRule() {
        return Answer.poor(
                "no rule aborts abandoned multipart uploads, whose parts are paid for",
                "add AbortIncompleteMultipartUpload after 7 days (terraform/README.md shows it); ./knabla gc aborts them too");
    }

    /** @param none the error code that means "nothing is set" */
    private static Answer told(Supplier<Answer> ask, String none, Supplier<Answer> whenNone) {
        try {
            return ask.get();
        } catch (S3Exception refused) {
            String code = refused.awsErrorDetails() == null
                    ? ""
                    : refused.awsErrorDetails().errorCode();
            if (none.equals(code)) {
                return whenNone.get();
            }
            return Answer.good(
                    refused.statusCode() == 403
                            ? "not to be read with these credentials, which need no right to"
                            : "the server does not tell (%d %s)".formatted(refused.statusCode(), code));
        }
    }
}
