package io.knabla.storage.s3;

import io.knabla.storage.Advice;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.StorageException;
import io.knabla.storage.s3.S3Reader.Version;
import io.knabla.storage.s3.client.Condition;
import io.knabla.storage.s3.client.Pauses;
import io.knabla.storage.s3.client.S3Bucket;
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
 * Writes objects under a condition, and finds out what became of a write that was not answered, or answered with a
 * refusal that its own earlier try may have caused: each object names the write that made it and those it was built on.
 */
final class S3Writer {
    /** Contents above it go in parts. */
    private static final long ONE_REQUEST = 16 << 20;

    /** Times that S3 may say that another conditional write is under way ("PutObject", 409). */
    private static final int CONFLICTS = 20;

    private static final int CONFLICT = 409;
    private static final int PRECONDITION_FAILED = 412;

    private final S3Bucket bucket;
    private final S3Reader reader;
    private final Lineages lineages;
    private final LongSupplier random;

    S3Writer(S3Bucket bucket, S3Reader reader, Lineages lineages, LongSupplier random) {
        this.bucket = bucket;
        this.reader = reader;
        this.lineages = lineages;
        this.random = random;
    }

    /** Answers the new etag, or empty when the condition did not hold. */
    Optional<String> put(ObjectKey key, Content content, Condition condition) throws IOException {
        String id = Lineage.id(random.getAsLong());
        Optional<Lineage> mine = switch (condition) {
            case Condition.Always() -> Optional.of(Lineage.anywhere(id));
            case Condition.Absent() -> Optional.of(Lineage.first(id));
            case Condition.Matches(String etag) -> replaced(key, etag).map(old -> old.then(id));
        };
        return mine.isEmpty() ? Optional.empty() : put(key, content, condition, mine.get());
    }

    /** Empty when another version is there, which spares the write. */
    private Optional<Lineage> replaced(ObjectKey key, String etag) {
        Optional<Lineage> known = lineages.of(key, etag);
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

    private Optional<String> put(ObjectKey key, Content content, Condition condition, Lineage mine) throws IOException {
        boolean clear = true;
        for (int tried = 1; ; tried++) {
            try {
                String etag = send(key, content, condition, mine);
                lineages.saw(key, etag, mine);
                return Optional.of(etag);
            } catch (SdkException fault) {
                throwContents(fault);
                clear &= isOnlyTry(fault);
                if (isConflict(fault) && tried < CONFLICTS) {
                    pause(key, tried);
                } else if (condition instanceof Condition.Always) {
                    throw S3Faults.cannot(Action.WRITE, key, bucket.location(), fault);
                } else {
                    return settle(key, mine, fault, clear && isRefusal(fault));
                }
            }
        }
    }

    private void pause(ObjectKey key, int tried) {
        try {
            Pauses.sleep(tried);
        } catch (SdkException interrupted) {
            throw S3Faults.cannot(Action.WRITE, key, bucket.location(), interrupted);
        }
    }

    private String send(ObjectKey key, Content content, Condition condition, Lineage mine) throws IOException {
        return content.size() <= ONE_REQUEST
                ? new StreamedPut(bucket).put(key, content, condition, mine.metadata())
                : new MultipartWriter(bucket).put(key, content, condition, mine.metadata());
    }

    /** A content that could be read once and not again fails inside the SDK. */
    private static void throwContents(SdkException fault) throws IOException {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof UncheckedIOException ofContent) {
                throw ofContent.getCause();
            }
        }
    }

    private static boolean isConflict(SdkException fault) {
        return fault instanceof S3Exception refused && refused.statusCode() == CONFLICT;
    }

    /** @param refused whether every request was answered, and with a refusal */
    private Optional<String> settle(ObjectKey key, Lineage mine, SdkException fault, boolean refused) {
        Optional<Version> there;
        try {
            there = reader.version(key);
        } catch (SdkException unreachable) {
            fault.addSuppressed(unreachable);
            throw unknown(key, fault);
        }
        return switch (Lineage.fate(mine, there.map(Version::lineage), refused)) {
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

    /** A version that was replaced since has an etag that nobody can know; one that never was will do. */
    private static String etag(Version there, Lineage mine) {
        return there.lineage().id().equals(mine.id()) ? there.etag() : "\"replaced-" + mine.id() + "\"";
    }

    private StorageException unknown(ObjectKey key, SdkException fault) {
        Advice why = S3Faults.advice(Action.WRITE, bucket.location(), fault);
        return new StorageException(
                why.kind(),
                "cannot tell whether '%s' was written in the store %s: %s"
                        .formatted(key, bucket.location(), why.problem()),
                why.cure() + " Read it again before you go on.",
                fault);
    }
}
