package io.knabla.storage.s3.client;

import java.util.Optional;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/**
 * Server-side encryption requested for every object that is written.
 *
 * @param method empty for the default of the bucket
 * @param key id, ARN or alias of a KMS key; empty for the account's {@code aws/s3}
 */
public record Encryption(Optional<ServerSideEncryption> method, Optional<String> key) {
    static final Encryption NONE = new Encryption(Optional.empty(), Optional.empty());
    private static final String NAME = "KNABLA_S3_ENCRYPTION";

    /** {@code none}, {@code AES256}, {@code aws:kms} or {@code aws:kms:KEY}. */
    static Encryption of(SettingValues values) {
        String value = values.text(NAME).orElse("none");
        if (value.equals("none")) {
            return NONE;
        }
        if (value.equals("AES256")) {
            return new Encryption(Optional.of(ServerSideEncryption.AES256), Optional.empty());
        }
        String kms = ServerSideEncryption.AWS_KMS.toString();
        if (value.equals(kms) || value.startsWith(kms + ":") && value.length() > kms.length() + 1) {
            return new Encryption(
                    Optional.of(ServerSideEncryption.AWS_KMS),
                    value.equals(kms) ? Optional.empty() : Optional.of(value.substring(kms.length() + 1)));
        }
        values.fault(NAME, value, "none, AES256, aws:kms or aws:kms:KEY");
        return NONE;
    }

    public void apply(PutObjectRequest.Builder put) {
        method.ifPresent(put::serverSideEncryption);
        key.ifPresent(put::ssekmsKeyId);
    }

    public void apply(CreateMultipartUploadRequest.Builder create) {
        method.ifPresent(create::serverSideEncryption);
        key.ifPresent(create::ssekmsKeyId);
    }

    public void apply(CopyObjectRequest.Builder copy) {
        method.ifPresent(copy::serverSideEncryption);
        key.ifPresent(copy::ssekmsKeyId);
    }
}
