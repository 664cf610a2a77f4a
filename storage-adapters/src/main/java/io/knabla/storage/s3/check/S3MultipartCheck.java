package io.knabla.storage.s3.check;

import io.knabla.storage.Checkup.Answer;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.faults.Action;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Checks whether the server supports multipart uploads, and whether conditional completion has one winner. */
final class S3MultipartCheck {
    static final int WRITERS = 16;
    private static final String HARMLESS =
            "nothing: what Knabla writes in parts is named by its content, and states are replaced by one PutObject";

    private final S3Bucket bucket;
    private final ObjectKey scratch;

    S3MultipartCheck(S3Bucket bucket, ObjectKey scratch) {
        this.bucket = bucket;
        this.scratch = scratch;
    }

    private S3Client s3() {
        return bucket.client();
    }

    private record Upload(String key, String id, CompletedPart part) {}

    /** Records the permission of each step, to name it on a refusal. */
    Answer checkCalls() {
        var doing = new AtomicReference<>(Action.WRITE);
        Upload kept = null;
        try {
            kept = begin("parts");
            doing.set(Action.LIST_PARTS);
            boolean listed = partsOf(kept).contains(kept.part().eTag());
            doing.set(Action.LIST_UPLOADS);
            listed &= uploads(kept.key()).contains(kept.id());
            if (!listed) {
                return Answer.bad(
                        "the lists of uploads and parts do not contain what was sent",
                        "uploads cannot be resumed or swept; use another server");
            }
            doing.set(Action.WRITE);
            complete(kept, _ -> {});
            Upload dropped = begin("parts");
            doing.set(Action.ABORT);
            abort(dropped);
            return uploads(dropped.key()).contains(dropped.id())
                    ? Answer.bad("an aborted upload still exists", "its parts cost money; use another server")
                    : Answer.good("create, part, list, complete and abort");
        } catch (SdkException refused) {
            return S3Checkup.refused(doing.get(), bucket.location(), refused);
        } finally {
            if (kept != null) {
                tidy(kept);
            }
        }
    }

    /** Completes {@link #WRITERS} uploads concurrently: one may create the key, one may replace the etag. */
    Answer checkConditions() throws InterruptedException {
        List<Upload> uploads = new ArrayList<>();
        try {
            int created = winners(uploads, complete -> complete.ifNoneMatch("*"));
            String etag = s3().headObject(ask ->
                            ask.bucket(bucket.name()).key(uploads.getFirst().key()))
                    .eTag();
            int replaced = winners(uploads, complete -> complete.ifMatch(etag));
            String found =
                    "of %d completions %d created one key, %d replaced one etag".formatted(WRITERS, created, replaced);
            return created == 1 && replaced == 1 ? Answer.good(found) : Answer.poor(found, HARMLESS);
        } finally {
            uploads.forEach(this::tidy);
        }
    }

    private int winners(List<Upload> all, Consumer<CompleteMultipartUploadRequest.Builder> condition)
            throws InterruptedException {
        var gate = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Upload>> begun = threads.invokeAll(Collections.nCopies(WRITERS, () -> begin("race")));
            List<Future<Boolean>> ended = new ArrayList<>();
            for (Future<Upload> future : begun) {
                Upload upload = value(future);
                all.add(upload);
                ended.add(threads.submit(() -> {
                    gate.await();
                    return wins(upload, condition);
                }));
            }
            gate.countDown();
            int winners = 0;
            for (Future<Boolean> one : ended) {
                winners += value(one) ? 1 : 0;
            }
            return winners;
        }
    }

    private static <T> T value(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    /** A 409 means that the server could not decide the race: retry. */
    private boolean wins(Upload upload, Consumer<CompleteMultipartUploadRequest.Builder> condition) {
        for (int attempt = 1; ; attempt++) {
            try {
                complete(upload, condition);
                return true;
            } catch (S3Exception refused) {
                if (refused.statusCode() == 412 || refused.statusCode() == 404) {
                    return false;
                }
                if (refused.statusCode() != 409 || attempt == WRITERS) {
                    throw refused;
                }
            }
        }
    }

    /** Every upload has different bytes and so a different etag. */
    private Upload begin(String name) {
        String key = bucket.name(scratch) + "/" + name;
        String id = s3().createMultipartUpload(
                        create -> create.bucket(bucket.name()).key(key))
                .uploadId();
        String etag = s3().uploadPart(
                        part -> part.bucket(bucket.name()).key(key).uploadId(id).partNumber(1),
                        RequestBody.fromString(id))
                .eTag();
        return new Upload(
                key, id, CompletedPart.builder().partNumber(1).eTag(etag).build());
    }

    private void complete(Upload upload, Consumer<CompleteMultipartUploadRequest.Builder> condition) {
        s3().completeMultipartUpload(complete -> {
            complete.bucket(bucket.name())
                    .key(upload.key())
                    .uploadId(upload.id())
                    .multipartUpload(parts -> parts.parts(upload.part()));
            condition.accept(complete);
        });
    }

    private List<String> partsOf(Upload upload) {
        return s3().listParts(ask -> ask.bucket(bucket.name()).key(upload.key()).uploadId(upload.id())).parts().stream()
                .map(part -> part.eTag())
                .toList();
    }

    private List<String> uploads(String key) {
        return s3().listMultipartUploads(ask -> ask.bucket(bucket.name()).prefix(key)).uploads().stream()
                .map(upload -> upload.uploadId())
                .toList();
    }

    private void abort(Upload upload) {
        s3().abortMultipartUpload(
                        gone -> gone.bucket(bucket.name()).key(upload.key()).uploadId(upload.id()));
    }

    /** Ignores failures: the check has reported them, or nothing was left. */
    private void tidy(Upload upload) {
        try {
            abort(upload);
        } catch (S3Exception _) {
            // ended already, or not allowed
        }
        try {
            s3().deleteObject(gone -> gone.bucket(bucket.name()).key(upload.key()));
        } catch (S3Exception _) {
            // not allowed
        }
    }
}
