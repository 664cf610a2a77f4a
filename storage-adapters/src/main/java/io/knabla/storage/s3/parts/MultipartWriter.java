package io.knabla.storage.s3.parts;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.client.WriteCondition;
import io.knabla.storage.s3.faults.S3Faults;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Writes large objects in concurrent parts, in bounded memory. Aborts a failed upload before it throws, so the upload
 * cannot complete later. Parts of a killed process, or of a failed abort, remain until the sweep.
 *
 * <p>Throws the SDK's exceptions unchanged, and {@link IOException} only from the content.
 */
public final class MultipartWriter {
    /** Other clients that share an upload may complete, abort or overwrite it. */
    private static final int TRIES = 3;

    private static final int NOT_FOUND = 404;
    private static final int PRECONDITION_FAILED = 412;

    private final S3Bucket bucket;
    private final MultipartUploads multiparts;
    private final PartSettings settings;

    public MultipartWriter(S3Bucket bucket) {
        this(bucket, PartSettings.DEFAULT);
    }

    public MultipartWriter(S3Bucket bucket, PartSettings settings) {
        this.bucket = bucket;
        this.multiparts = new MultipartUploads(bucket);
        this.settings = settings;
    }

    /**
     * Returns the new etag. With {@link WriteCondition.Absent} and a content that its key names, resumes an incomplete
     * upload of the key; the object then has the metadata that the upload started with. Of contents that may differ,
     * the writer that started the upload would take another's for its own.
     *
     * @param metadata must be unique to this write
     */
    public String put(ObjectKey key, Content content, WriteCondition condition, Map<String, String> metadata)
            throws IOException {
        checkCondition(key, condition);
        boolean shared = condition instanceof WriteCondition.Absent && content.isNamedByKey();
        boolean oneWins = !shared && !(condition instanceof WriteCondition.Always);
        if (oneWins && content.size() <= PartPlan.MAX_PART) {
            // Of four servers tested, three let several concurrent completions over one etag succeed, two of a new key.
            return new StreamedPut(bucket).put(key, content, condition, metadata);
        }
        PartPlan plan = PartPlan.of(content.size(), settings.partSize());
        for (int tried = 1; ; tried++) {
            PendingUpload upload = shared && tried == 1
                    ? resume(key, plan).orElseGet(() -> begin(key, metadata))
                    : begin(key, metadata);
            try {
                return send(upload, plan, content, condition);
            } catch (SdkException refused) {
                if (!isGone(refused) || tried == TRIES) {
                    throw refused;
                }
                Optional<HeadObjectResponse> there = multiparts.head(key);
                if (there.filter(head -> isOf(head, metadata)).isPresent()) {
                    return there.get().eTag();
                }
                if (there.isPresent() && condition instanceof WriteCondition.Absent) {
                    throw refused;
                }
            }
        }
    }

    /**
     * Checks the condition before sending. This saves time, and a server may close the connection during a body that it
     * rejects: the client would see a broken pipe instead of the refusal.
     */
    private void checkCondition(ObjectKey key, WriteCondition condition) {
        boolean fails = switch (condition) {
            case WriteCondition.Always() -> false;
            case WriteCondition.Absent() -> multiparts.head(key).isPresent();
            case WriteCondition.Matches(String etag) ->
                multiparts.head(key).filter(is -> is.eTag().equals(etag)).isEmpty();
        };
        if (fails) {
            throw S3Exception.builder()
                    .statusCode(PRECONDITION_FAILED)
                    .message("the condition for writing '%s' does not hold".formatted(key))
                    .build();
        }
    }

    /** Returns whether the upload changed meanwhile: completed, aborted, or a part replaced. */
    private static boolean isGone(SdkException refused) {
        return refused instanceof NoSuchUploadException
                || refused instanceof S3Exception answer
                        && S3Faults.code(answer).equals("InvalidPart");
    }

    private static boolean isOf(HeadObjectResponse head, Map<String, String> metadata) {
        return !metadata.isEmpty() && head.metadata().entrySet().containsAll(metadata.entrySet());
    }

    private PendingUpload begin(ObjectKey key, Map<String, String> metadata) {
        String id =
                multiparts.create(key, create -> create.metadata(metadata).checksumAlgorithm(ChecksumAlgorithm.CRC32));
        return new PendingUpload(key, id, Map.of());
    }

    /**
     * Skips uploads with other part sizes and uploads without parts, which another client has just started. Without
     * permission to list uploads, a new upload is started.
     */
    private Optional<PendingUpload> resume(ObjectKey key, PartPlan plan) {
        try {
            return multiparts
                    .newestIncomplete(key)
                    .map(id -> new PendingUpload(key, id, multiparts.parts(key, id)))
                    .filter(upload -> !upload.parts().isEmpty() && upload.matches(plan));
        } catch (S3Exception goneOrNotOurs) {
            return Optional.empty();
        }
    }

    private String send(PendingUpload upload, PartPlan plan, Content content, WriteCondition condition)
            throws IOException {
        boolean open = true;
        try {
            List<CompletedPart> parts = new PartSender(bucket, upload, plan, settings.buffers()).send(content);
            String etag = multiparts.complete(upload.key(), upload.id(), parts, plan.size(), condition::apply);
            open = false;
            return etag;
        } catch (SdkException failed) {
            open = false;
            // For a part of an upload that no longer exists, one server returns 500, one resets the connection.
            throw giveUp(upload) || isGone(failed) ? failed : gone(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw AbortedException.create("interrupted while sending " + upload.key(), stopped);
        } finally {
            if (open) {
                giveUp(upload);
            }
        }
    }

    private static SdkException gone(SdkException refused) {
        return NoSuchUploadException.builder()
                .statusCode(NOT_FOUND)
                .message(refused.getMessage())
                .cause(refused)
                .build();
    }

    /**
     * Clears the interrupt first, otherwise every interruption would leave parts behind. Returns false if the upload no
     * longer existed.
     */
    private boolean giveUp(PendingUpload upload) {
        boolean interrupted = Thread.interrupted();
        try {
            return multiparts.abort(upload.key(), upload.id());
        } catch (SdkException unreachable) {
            // Left to the sweep; the caller throws the original failure.
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
