package io.knabla.functions.unit;

import io.knabla.storage.StorageException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Machine-readable cause of a replica's failure, written as {@code code} in its last event. The event also has a
 * sentence for people. The names are on the wire: a controller reads those of older and newer replicas.
 */
public enum FailureCode {
    /** The unit, or a file of it, is not in the store. */
    UNIT_MISSING,
    /** The unit is damaged, or written by a newer Knabla. */
    UNIT_UNUSABLE,
    /** The engine cannot load or run the model. */
    MODEL_REFUSED,
    /** The unit cache of the machine has no room, or cannot be written. */
    CACHE_UNUSABLE,
    /** A disk is full: that of the cache or of the store. */
    DISK_FULL,
    STORE_UNAVAILABLE,
    STORE_FORBIDDEN,
    CREDENTIALS_EXPIRED,
    BUCKET_MISSING,
    BAD_OBJECT,
    /** The GPU, or this process's access to it; another process may have it again. */
    DEVICE_LOST,
    /** Any other cause; only the sentence says which. */
    OTHER;

    /** Returns the code of the first store or unit failure in the chain of causes. */
    public static FailureCode of(Throwable failed) {
        return Stream.iterate(failed, cause -> cause != null, Throwable::getCause)
                .flatMap(cause -> ofOne(cause).stream())
                .findFirst()
                .orElse(OTHER);
    }

    private static Optional<FailureCode> ofOne(Throwable failed) {
        return switch (failed) {
            case UnitException unit -> Optional.of(unit.code());
            case StorageException store -> Optional.of(of(store.kind()));
            default -> Optional.empty();
        };
    }

    private static FailureCode of(StorageException.Kind kind) {
        return switch (kind) {
            case UNAVAILABLE -> STORE_UNAVAILABLE;
            case ACCESS_DENIED -> STORE_FORBIDDEN;
            case CREDENTIALS_EXPIRED -> CREDENTIALS_EXPIRED;
            case BUCKET_MISSING -> BUCKET_MISSING;
            case BAD_OBJECT -> BAD_OBJECT;
            case DISK_FULL -> DISK_FULL;
        };
    }

    /** Reads a code from an event; {@link #OTHER} if an older replica wrote none, or a newer one an unknown one. */
    public static FailureCode parse(String code) {
        return Stream.of(values())
                .filter(known -> known.name().equals(code))
                .findFirst()
                .orElse(OTHER);
    }

    /** The exception for a failure that another process reported while it read or wrote a unit. */
    public RuntimeException reported(String sentence) {
        return switch (this) {
            case UNIT_MISSING, UNIT_UNUSABLE, MODEL_REFUSED, CACHE_UNUSABLE, DEVICE_LOST ->
                UnitException.reported(this, sentence);
            case STORE_UNAVAILABLE, OTHER -> store(StorageException.Kind.UNAVAILABLE, sentence);
            case STORE_FORBIDDEN -> store(StorageException.Kind.ACCESS_DENIED, sentence);
            case CREDENTIALS_EXPIRED -> store(StorageException.Kind.CREDENTIALS_EXPIRED, sentence);
            case BUCKET_MISSING -> store(StorageException.Kind.BUCKET_MISSING, sentence);
            case BAD_OBJECT -> store(StorageException.Kind.BAD_OBJECT, sentence);
            case DISK_FULL -> store(StorageException.Kind.DISK_FULL, sentence);
        };
    }

    private static StorageException store(StorageException.Kind kind, String sentence) {
        return new StorageException(kind, sentence, "");
    }
}
