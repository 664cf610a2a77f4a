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

/**
 * Checks the encryption, versioning and lifecycle rules of the bucket. Knabla works without this information, so
 * missing permission to read it is no fault.
 */
final class S3BucketConfigCheck {
    private final S3Bucket bucket;

    S3BucketConfigCheck(S3Bucket bucket) {
        this.bucket = bucket;
    }

    private S3Client s3() {
        return bucket.client();
    }

    Answer encryption() {
        return query(
                () -> {
                    var rules = s3().getBucketEncryption(ask -> ask.bucket(bucket.name()))
                            .serverSideEncryptionConfiguration()
                            .rules();
                    return rules.stream()
                            .map(rule -> rule.applyServerSideEncryptionByDefault())
                            .filter(byDefault -> byDefault != null)
                            .findFirst()
                            .map(byDefault -> Answer.good("at rest: " + text(byDefault)))
                            .orElseGet(S3BucketConfigCheck::unencrypted);
                },
                "ServerSideEncryptionConfigurationNotFoundError",
                S3BucketConfigCheck::unencrypted);
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
        return query(
                () -> {
                    var status = s3().getBucketVersioning(ask -> ask.bucket(bucket.name()))
                            .status();
                    return status == BucketVersioningStatus.ENABLED
                            ? Answer.poor(
                                    "on: replaced and deleted versions are kept and cost money",
                                    "add a lifecycle rule with NoncurrentVersionExpiration, such as 7 days")
                            : Answer.good("off");
                },
                "",
                () -> Answer.good("off"));
    }

    Answer lifecycle() {
        return query(
                () -> {
                    var rules = s3().getBucketLifecycleConfiguration(ask -> ask.bucket(bucket.name()))
                            .rules();
                    return rules.stream().anyMatch(S3BucketConfigCheck::abortsUploads)
                            ? Answer.good("abandoned multipart uploads are aborted")
                            : noRule();
                },
                "NoSuchLifecycleConfiguration",
                S3BucketConfigCheck::noRule);
    }

    private static boolean abortsUploads(LifecycleRule rule) {
        return rule.status() == ExpirationStatus.ENABLED && rule.abortIncompleteMultipartUpload() != null;
    }

    private static Answer noRule() {
        return Answer.poor(
                "no rule aborts abandoned multipart uploads; their parts cost money",
                "add AbortIncompleteMultipartUpload after 7 days (terraform/README.md shows it); ./knabla gc aborts them too");
    }

    /** @param none the error code that means "nothing is set" */
    private static Answer query(Supplier<Answer> ask, String none, Supplier<Answer> whenNone) {
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
                            ? "not readable with these credentials; Knabla does not need this permission"
                            : "unknown: the server answered %d %s".formatted(refused.statusCode(), code));
        }
    }
}
