package io.knabla.storage.s3.check;

import io.knabla.storage.Checkup.Answer;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.client.S3Bucket;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Checks whether the server rejects uploads with a wrong checksum. */
final class S3ChecksumCheck {
    private static final byte[] SENT = {1, 2, 3};

    /** Constant values, wrong for the bytes that are sent. */
    private static final Map<String, Consumer<PutObjectRequest.Builder>> WRONG = Map.of(
            "SHA-256", put -> put.checksumSHA256(Base64.getEncoder().encodeToString(new byte[32])),
            "CRC32", put -> put.checksumCRC32(Base64.getEncoder().encodeToString(new byte[4])),
            "MD5", put -> put.contentMD5(Base64.getEncoder().encodeToString(new byte[16])));

    private final S3Bucket bucket;
    private final ObjectKey scratch;

    S3ChecksumCheck(S3Bucket bucket, ObjectKey scratch) {
        this.bucket = bucket;
        this.scratch = scratch;
    }

    Answer areVerified() {
        List<String> verified = new ArrayList<>();
        List<String> ignored = new ArrayList<>();
        WRONG.forEach((name, wrong) -> (isRejected(name, wrong) ? verified : ignored).add(name));
        verified.sort(null);
        ignored.sort(null);
        if (ignored.isEmpty()) {
            return Answer.good("wrong checksums are rejected: " + String.join(", ", verified));
        }
        return Answer.poor(
                "wrong checksums are accepted: " + String.join(", ", ignored),
                "damage in transit is found only on read, when Knabla compares digests; use TLS, or a server that verifies checksums");
    }

    private boolean isRejected(String name, Consumer<PutObjectRequest.Builder> wrong) {
        String key = bucket.name(scratch) + "/checksum-" + name.toLowerCase(Locale.ROOT);
        try {
            bucket.client()
                    .putObject(
                            put -> {
                                put.bucket(bucket.name()).key(key);
                                wrong.accept(put);
                            },
                            RequestBody.fromBytes(SENT));
        } catch (S3Exception refused) {
            if (refused.statusCode() == 400) {
                return true;
            }
            throw refused;
        }
        bucket.client().deleteObject(gone -> gone.bucket(bucket.name()).key(key));
        return false;
    }
}
