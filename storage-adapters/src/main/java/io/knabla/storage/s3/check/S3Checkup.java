package io.knabla.storage.s3.check;

import io.knabla.storage.Checkup;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.faults.Action;
import io.knabla.storage.s3.faults.ConnectionFaults;
import io.knabla.storage.s3.faults.S3Faults;
import io.knabla.storage.s3.faults.S3Location;
import java.util.List;
import java.util.concurrent.Callable;
import software.amazon.awssdk.core.exception.SdkException;

/** Diagnostic checks of an S3 server. */
public final class S3Checkup implements Checkup {
    private final S3Bucket bucket;

    public S3Checkup(S3Bucket bucket) {
        this.bucket = bucket;
    }

    @Override
    public List<Check> connectivity() {
        var way = new S3ConnectivityCheck(bucket);
        return List.of(
                check("settings", Action.LIST, way::settings),
                check("credentials", Action.LIST, way::credentials),
                check("endpoint", Action.LIST, way::endpoint),
                check("bucket", Action.LIST, way::bucket),
                check("clock", Action.LIST, way::clock));
    }

    @Override
    public List<Check> capabilities(ObjectKey scratch) {
        var multipart = new S3MultipartCheck(bucket, scratch);
        var checksums = new S3ChecksumCheck(bucket, scratch);
        var advice = new S3BucketConfigCheck(bucket);
        return List.of(
                new Check("multipart", multipart::checkCalls),
                check("multipart race", Action.WRITE, multipart::checkConditions),
                check("checksums", Action.WRITE, checksums::areVerified),
                check("encryption", Action.READ, advice::encryption),
                check("versioning", Action.READ, advice::versioning),
                check("lifecycle", Action.READ, advice::lifecycle));
    }

    private Check check(String name, Action action, Callable<Answer> ask) {
        return new Check(name, () -> {
            try {
                return ask.call();
            } catch (Exception failed) {
                return refused(action, bucket.location(), failed);
            }
        });
    }

    /** Splits the advice: the first sentence is the problem, the others are the remedy. */
    static Answer refused(Action action, S3Location place, Exception failed) {
        String advice = failed instanceof SdkException fault
                ? S3Faults.advice(action, place, fault)
                : ConnectionFaults.advice(failed);
        String[] sentences = advice.split("(?<=\\.) (?=[A-Z./])", 2);
        return Answer.bad(
                sentences[0].replaceAll("\\.$", ""),
                sentences.length > 1 ? sentences[1].replaceAll("\\.$", "") : "see the message");
    }
}
