package io.knabla.storage.s3;

import io.knabla.storage.Checkup;
import io.knabla.storage.ObjectKey;
import java.util.List;
import java.util.concurrent.Callable;

/** What can be asked of an S3 server. */
final class S3Checkup implements Checkup {
    private final S3Bucket bucket;

    S3Checkup(S3Bucket bucket) {
        this.bucket = bucket;
    }

    @Override
    public List<Check> way() {
        var way = new S3Way(bucket);
        return List.of(
                check("settings", way::settings),
                check("credentials", way::credentials),
                check("endpoint", way::endpoint),
                check("bucket", way::bucket),
                check("clock", way::clock));
    }

    @Override
    public List<Check> abilities(ObjectKey scratch) {
        var multipart = new S3MultipartCheck(bucket, scratch);
        var checksums = new S3ChecksumCheck(bucket, scratch);
        var advice = new S3Advice(bucket);
        return List.of(
                check("multipart", multipart::works),
                check("multipart race", multipart::decides),
                check("checksums", checksums::areVerified),
                check("encryption", advice::encryption),
                check("versioning", advice::versioning),
                check("lifecycle", advice::lifecycle));
    }

    private Check check(String name, Callable<Answer> ask) {
        return new Check(
                name,
                () -> {
                    try {
                        return ask.call();
                    } catch (Exception refused) {
                        return new S3Refusal(bucket.location()).of(refused);
                    }
                });
    }
}
