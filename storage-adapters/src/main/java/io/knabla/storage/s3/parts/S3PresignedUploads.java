package io.knabla.storage.s3.parts;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.PresignedUploads;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.faults.Action;
import io.knabla.storage.s3.faults.S3Faults;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/**
 * Implements uploads by presigned part URLs. Uses multipart even for one part: the URLs become invalid once the upload
 * is complete.
 */
public final class S3PresignedUploads implements PresignedUploads {
    /** Larger than for own uploads: clients send from files, not buffers, and need fewer URLs. */
    public static final long PART = 64 * PartPlan.MIB;

    private final S3Bucket bucket;
    private final MultipartUploads multiparts;
    private final MultipartCopy copy;
    private final long partSize;

    public S3PresignedUploads(S3Bucket bucket, long partSize, MultipartCopy copy) {
        this.bucket = bucket;
        this.multiparts = new MultipartUploads(bucket);
        this.copy = copy;
        this.partSize = partSize;
    }

    @Override
    public Upload begin(ObjectKey key, long size, Duration valid) {
        PartPlan plan = PartPlan.of(size, partSize);
        return attempt(key, () -> {
            String id = multiparts.newestIncomplete(key).orElseGet(() -> multiparts.create(key, _ -> {}));
            return new Upload(key, id, size, plan.partSize(), urls(key, id, plan, valid));
        });
    }

    private List<Part> urls(ObjectKey key, String id, PartPlan plan, Duration valid) {
        S3Presigner presigner = presigner();
        return missing(multiparts.parts(key, id), plan).stream()
                .map(number -> part(presigner, request(key, id, plan, number), plan, valid))
                .toList();
    }

    private UploadPartRequest request(ObjectKey key, String id, PartPlan plan, int number) {
        return UploadPartRequest.builder()
                .bucket(bucket.name())
                .key(bucket.name(key))
                .uploadId(id)
                .partNumber(number)
                .contentLength(plan.length(number))
                .build();
    }

    /** Never closed: it owns no resource, and close() would close the client's credentials provider. */
    private S3Presigner presigner() {
        var client = bucket.client().serviceClientConfiguration();
        var presigner = S3Presigner.builder()
                .region(client.region())
                .credentialsProvider(client.credentialsProvider())
                .serviceConfiguration(S3Configuration.builder()
                        .pathStyleAccessEnabled(bucket.settings().pathStyle())
                        .build());
        client.endpointOverride().ifPresent(presigner::endpointOverride);
        return presigner.build();
    }

    private static Part part(S3Presigner presigner, UploadPartRequest request, PartPlan plan, Duration valid) {
        var signed = presigner.presignUploadPart(
                sign -> sign.signatureDuration(valid).uploadPartRequest(request));
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        signed.signedHeaders().forEach((name, values) -> headers.put(name, String.join(",", values)));
        // HTTP clients set these themselves, and many reject explicit values.
        headers.remove("host");
        headers.remove("content-length");
        int number = request.partNumber();
        return new Part(
                number,
                plan.offset(number),
                plan.length(number),
                URI.create(signed.url().toString()),
                headers);
    }

    /** Returns the numbers of the parts that are absent or incomplete. */
    private static List<Integer> missing(
            Map<Integer, software.amazon.awssdk.services.s3.model.Part> there, PartPlan plan) {
        return IntStream.rangeClosed(1, plan.parts())
                .filter(number ->
                        !there.containsKey(number) || there.get(number).size() != plan.length(number))
                .boxed()
                .toList();
    }

    @Override
    public Optional<String> complete(ObjectKey key, String id, long size) {
        PartPlan plan = PartPlan.of(size, partSize);
        return attempt(
                key,
                () -> completed(key, id, plan)
                        .or(() -> multiparts
                                .head(key)
                                .filter(head -> head.contentLength() == size)
                                .map(HeadObjectResponse::eTag)));
    }

    /** Returns empty if parts are missing or the upload does not exist; it may be complete already. */
    private Optional<String> completed(ObjectKey key, String id, PartPlan plan) {
        try {
            var there = multiparts.parts(key, id);
            if (!missing(there, plan).isEmpty()) {
                return Optional.empty();
            }
            List<CompletedPart> parts = IntStream.rangeClosed(1, plan.parts())
                    .mapToObj(number -> MultipartUploads.completed(there.get(number)))
                    .toList();
            return Optional.of(multiparts.complete(key, id, parts, plan.size(), _ -> {}));
        } catch (NoSuchUploadException gone) {
            return Optional.empty();
        }
    }

    @Override
    public void abort(ObjectKey key, String id) {
        attempt(key, () -> multiparts.abort(key, id));
    }

    @Override
    public Optional<String> promote(ObjectKey from, String etag, ObjectKey to) {
        return attempt(from, () -> copy.copy(from, etag, to));
    }

    private <T> T attempt(ObjectKey key, Supplier<T> work) {
        try {
            return work.get();
        } catch (SdkException fault) {
            throw S3Faults.cannot(Action.WRITE, key, bucket.location(), fault);
        }
    }
}
