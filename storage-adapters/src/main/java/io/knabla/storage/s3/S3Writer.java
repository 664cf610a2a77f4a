package io.knabla.storage.s3;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.StorageException;
import io.knabla.storage.s3.S3Reader.Version;
import io.knabla.storage.s3.client.Backoff;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.client.WriteCondition;
import io.knabla.storage.s3.faults.Action;
import io.knabla.storage.s3.faults.S3Faults;
import io.knabla.storage.s3.parts.MultipartWriter;
import io.knabla.storage.s3.parts.StreamedPut;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Writes objects conditionally. If a response is lost, or a refusal may be caused by an earlier attempt of the same
 * write, determines the outcome from the {@link Lineage} in the metadata of the object.
 */
final class S3Writer {
    /** Larger contents are sent in parts. */
    private static final long ONE_REQUEST = 16 << 20;

    /** Attempts while S3 reports a concurrent conditional write ("PutObject", 409). */
    private static final int CONFLICTS = 20;

    private static final int CONFLICT = 409;
    private static final int PRECONDITION_FAILED = 412;

    private final S3Bucket bucket;
    private final S3Reader reader;
    private final LineageCache lineages;
    private final LongSupplier random;

    S3Writer(S3Bucket bucket, S3Reader reader, LineageCache lineages, LongSupplier random) {
        this.bucket = bucket;
        this.reader = reader;
        this.lineages = lineages;
        this.random = random;
    }

    /** Returns the new etag, or empty if the condition did not hold. */
    Optional<String> put(ObjectKey key, Content content, WriteCondition condition) throws IOException {
        String id = Lineage.id(random.getAsLong());
        Optional<Lineage> mine = switch (condition) {
            case WriteCondition.Always() -> Optional.of(Lineage.unconditional(id));
            case WriteCondition.Absent() -> Optional.of(Lineage.creation(id));
            case WriteCondition.Matches(String etag) -> replaced(key, etag).map(old -> old.successor(id));
        };
        return mine.isEmpty() ? Optional.empty() : put(key, content, condition, mine.get());
    }

    /** Returns empty if another version is current; the write is then not sent. */
    private Optional<Lineage> replaced(ObjectKey key, String etag) {
        Optional<Lineage> known = lineages.get(key, etag);
        if (known.isPresent()) {
            return known;
        }
        try {
            return reader.version(key)
                    .filter(there -> there.etag().equals(etag))
                    .map(Version::lineage);
        } catch (SdkException fault) {
            throw S3Faults.cannot(Action.WRITE, key, bucket.location(), fault);
        }
    }

    private Optional<String> put(ObjectKey key, Content content, WriteCondition condition, Lineage mine)
            throws IOException {
        boolean clear = true;
        for (int tried = 1; ; tried++) {
            try {
                String etag = send(key, content, condition, mine);
                lineages.put(key, etag, mine);
                return Optional.of(etag);
            } catch (SdkException fault) {
                rethrowContentFailure(fault);
                clear &= isOnlyTry(fault);
                if (isConflict(fault) && tried < CONFLICTS) {
                    pause(key, tried);
                } else if (condition instanceof WriteCondition.Always) {
                    throw S3Faults.cannot(Action.WRITE, key, bucket.location(), fault);
                } else {
                    return resolveOutcome(key, mine, fault, clear && isRefusal(fault));
                }
            }
        }
    }

    private void pause(ObjectKey key, int tried) {
        try {
            Backoff.sleep(tried);
        } catch (SdkException interrupted) {
            throw S3Faults.cannot(Action.WRITE, key, bucket.location(), interrupted);
        }
    }

    private String send(ObjectKey key, Content content, WriteCondition condition, Lineage mine) throws IOException {
        return content.size() <= ONE_REQUEST
                ? new StreamedPut(bucket).put(key, content, condition, mine.metadata())
                : new MultipartWriter(bucket).put(key, content, condition, mine.metadata());
    }

    /** A content that fails when the SDK reads it for a retry surfaces as UncheckedIOException. */
    private static void rethrowContentFailure(SdkException fault) throws IOException {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof UncheckedIOException ofContent) {
                throw ofContent.getCause();
            }
        }
    }

    private static boolean isConflict(SdkException fault) {
        return fault instanceof S3Exception refused && refused.statusCode() == CONFLICT;
    }

    /** @param refused whether every request got a response, and that was a refusal */
    private Optional<String> resolveOutcome(ObjectKey key, Lineage mine, SdkException fault, boolean refused) {
        Optional<Version> there;
        try {
            there = reader.version(key);
        } catch (SdkException unreachable) {
            fault.addSuppressed(unreachable);
            throw unknown(key, fault);
        }
        return switch (Lineage.outcome(mine, there.map(Version::lineage), refused)) {
            case WON -> Optional.of(etag(there.orElseThrow(), mine));
            case LOST -> Optional.empty();
            case PENDING -> throw S3Faults.cannot(Action.WRITE, key, bucket.location(), fault);
            case UNKNOWN -> throw unknown(key, fault);
        };
    }

    private static boolean isOnlyTry(SdkException fault) {
        return fault.numAttempts() == null || fault.numAttempts() == 1;
    }

    private static boolean isRefusal(SdkException fault) {
        return fault instanceof S3Exception refused
                && (refused.statusCode() == PRECONDITION_FAILED || S3Reader.isAbsent(refused));
    }

    /** The etag of a version replaced since is unknown; an etag that never matches stands for it. */
    private static String etag(Version there, Lineage mine) {
        return there.lineage().id().equals(mine.id()) ? there.etag() : "\"replaced-" + mine.id() + "\"";
    }

    private StorageException unknown(ObjectKey key, SdkException fault) {
        return new StorageException(
                "cannot tell whether '%s' was written in the store %s: %s Read it again before you go on."
                        .formatted(key, bucket.location(), S3Faults.advice(Action.WRITE, bucket.location(), fault)),
                fault);
    }
}
