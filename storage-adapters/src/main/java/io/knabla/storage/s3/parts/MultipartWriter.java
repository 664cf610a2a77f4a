package io.knabla.storage.s3.parts;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.client.Condition;
import io.knabla.storage.s3.client.S3Bucket;
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
 * Writes large objects in parts, several at once, in bounded memory. What fails is given up: its parts are freed before
 * the failure is told, so that nothing comes of it later. Only what a killed process left, or what even that could not
 * free, waits for the sweep.
 *
 * <p>Throws the SDK's exceptions as they are, and {@link IOException} only from the content.
 */
public final class MultipartWriter {
    /** An upload that others may share is completed, given up or overwritten by them now and then. */
    private static final int TRIES = 3;

    private static final int NOT_FOUND = 404;
    private static final int PRECONDITION_FAILED = 412;

    private final S3Bucket bucket;
    private final Multiparts multiparts;
    private final PartSettings settings;

    public MultipartWriter(S3Bucket bucket) {
        this(bucket, PartSettings.DEFAULT);
    }

    public MultipartWriter(S3Bucket bucket, PartSettings settings) {
        this.bucket = bucket;
        this.multiparts = new Multiparts(bucket);
        this.settings = settings;
    }

    /**
     * Answers the new etag. With {@link Condition.Absent}, an unfinished upload of that key is taken up where it ended;
     * the object then has the metadata that it began with.
     *
     * @param metadata something in it is of this write alone
     */
    public String put(ObjectKey key, Content content, Condition condition, Map<String, String> metadata)
            throws IOException {
        refuseEarly(key, condition);
        if (condition instanceof Condition.Matches && content.size() <= PartPlan.MAX_PART) {
            // Of four servers tried, three let several win who complete uploads over one etag.
            return new StreamedPut(bucket).put(key, content, condition, metadata);
        }
        PartPlan plan = PartPlan.of(content.size(), settings.partSize());
        for (int tried = 1; ; tried++) {
            Unfinished upload = condition instanceof Condition.Absent && tried == 1
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
                if (there.isPresent() && condition instanceof Condition.Absent) {
                    throw refused;
                }
            }
        }
    }

    /**
     * What cannot succeed is not sent. Besides the time, a server may close the connection amid a body that it does not
     * want, and the client would see a broken pipe where it should see the refusal.
     */
    private void refuseEarly(ObjectKey key, Condition condition) {
        boolean fails = switch (condition) {
            case Condition.Always() -> false;
            case Condition.Absent() -> multiparts.head(key).isPresent();
            case Condition.Matches(String etag) ->
                multiparts.head(key).filter(is -> is.eTag().equals(etag)).isEmpty();
        };
        if (fails) {
            throw S3Exception.builder()
                    .statusCode(PRECONDITION_FAILED)
                    .message("'%s' is not as the write wants it".formatted(key))
                    .build();
        }
    }

    /** Whether the upload is no longer what we made of it: completed, given up, or a part replaced. */
    private static boolean isGone(SdkException refused) {
        return refused instanceof NoSuchUploadException
                || refused instanceof S3Exception answer
                        && S3Faults.code(answer).equals("InvalidPart");
    }

    private static boolean isOf(HeadObjectResponse head, Map<String, String> metadata) {
        return !metadata.isEmpty() && head.metadata().entrySet().containsAll(metadata.entrySet());
    }

    private Unfinished begin(ObjectKey key, Map<String, String> metadata) {
        String id =
                multiparts.create(key, create -> create.metadata(metadata).checksumAlgorithm(ChecksumAlgorithm.CRC32));
        return new Unfinished(key, id, Map.of());
    }

    /**
     * What was cut otherwise is another's, one without parts is one that another has just begun; and what one may not
     * list is sent anew.
     */
    private Optional<Unfinished> resume(ObjectKey key, PartPlan plan) {
        try {
            return multiparts
                    .unfinished(key)
                    .map(id -> new Unfinished(key, id, multiparts.parts(key, id)))
                    .filter(upload -> !upload.parts().isEmpty() && upload.isCutBy(plan));
        } catch (S3Exception goneOrNotOurs) {
            return Optional.empty();
        }
    }

    private String send(Unfinished upload, PartPlan plan, Content content, Condition condition) throws IOException {
        boolean open = true;
        try {
            List<CompletedPart> parts = new PartSender(bucket, upload, plan, settings.buffers()).send(content);
            String etag = multiparts.complete(upload.key(), upload.id(), parts, plan.size(), condition::apply);
            open = false;
            return etag;
        } catch (SdkException failed) {
            open = false;
            // To a part of an upload that is gone, one server answers 500, one resets the
            // connection.
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
     * An interrupted thread still does this, else every interruption would leave parts behind. Answers false when the
     * upload was gone before.
     */
    private boolean giveUp(Unfinished upload) {
        boolean interrupted = Thread.interrupted();
        try {
            return multiparts.abort(upload.key(), upload.id());
        } catch (SdkException unreachable) {
            // Left to the sweep; the failure that led here is the one to tell.
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
