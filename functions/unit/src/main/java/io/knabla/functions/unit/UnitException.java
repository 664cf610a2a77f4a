package io.knabla.functions.unit;

import io.knabla.functions.unit.cache.CacheBound;
import io.knabla.functions.unit.cache.CacheSpace;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reports a unit that cannot be used: absent, damaged, too new, or too large for the cache. Programs decide by the
 * code; the message says what to do.
 */
public final class UnitException extends RuntimeException {
    private final FailureCode code;

    private UnitException(FailureCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public FailureCode code() {
        return code;
    }

    static UnitException reported(FailureCode code, String message) {
        return new UnitException(code, message, null);
    }

    static UnitException badManifest(String what) {
        return badManifest(what, null);
    }

    static UnitException badManifest(String what, Throwable cause) {
        return new UnitException(
                FailureCode.UNIT_UNUSABLE,
                "not a unit manifest: %s. Deploy the function again to write a new unit.".formatted(what),
                cause);
    }

    static UnitException newerSchema(long found) {
        return new UnitException(
                FailureCode.UNIT_UNUSABLE,
                "the unit's manifest has schema %d, this Knabla reads up to %d. Update Knabla, or deploy the function again with this one."
                        .formatted(found, FileManifest.SCHEMA),
                null);
    }

    static UnitException noGraphs(String type) {
        return new UnitException(
                FailureCode.UNIT_UNUSABLE,
                "the unit is of type %s, so it has no graphs with inputs and outputs. Use it in a function of that type."
                        .formatted(type),
                null);
    }

    /** @param known types that this program loads */
    public static UnitException unknownType(String type, List<String> known) {
        return new UnitException(
                FailureCode.UNIT_UNUSABLE,
                "the unit is of type %s, this replica loads %s. Update Knabla, or deploy the function again with this one."
                        .formatted(type, String.join(", ", known)),
                null);
    }

    /** @param file in the unit's folder */
    public static UnitException badFile(String file, String what) {
        return new UnitException(
                FailureCode.UNIT_UNUSABLE,
                "the unit's file %s cannot be used: %s. Deploy the function again to write a new unit."
                        .formatted(file, what),
                null);
    }

    static UnitException absent(ObjectKey key, String store) {
        return new UnitException(
                FailureCode.UNIT_MISSING,
                "'%s' is not in the store %s. Deploy the function again, or correct KNABLA_STORE."
                        .formatted(key, store),
                null);
    }

    static UnitException damaged(String what, Digest wanted, String found) {
        return new UnitException(
                FailureCode.UNIT_UNUSABLE,
                "%s is damaged: expected %s, found %s. Delete it and deploy the function again."
                        .formatted(what, wanted, found),
                null);
    }

    static UnitException damaged(String what) {
        return new UnitException(
                FailureCode.UNIT_UNUSABLE,
                "%s: it is damaged. Delete it and deploy the function again.".formatted(what),
                null);
    }

    static UnitException noRoom(Path cache, CacheSpace.InsufficientSpace refused) {
        long least = Math.addExact(refused.inUse(), refused.needed());
        return new UnitException(
                FailureCode.CACHE_UNUSABLE,
                "no room for the unit in %s: it needs %d bytes more, %d bytes there are in use, and %d is the most it may hold (%s). Set %s to at least %d, free space on the disk, or stop functions."
                        .formatted(
                                cache,
                                refused.needed(),
                                refused.inUse(),
                                refused.bound().bytes(),
                                refused.bound().reason(),
                                CacheBound.SETTING,
                                least),
                null);
    }

    static UnitException cannotWrite(String where, IOException cause) {
        return new UnitException(
                StorageException.isDiskFull(cause) ? FailureCode.DISK_FULL : FailureCode.CACHE_UNUSABLE,
                "cannot write the unit to %s: %s. Check free space and rights, or set KNABLA_CACHE to another folder."
                        .formatted(where, reason(cause)),
                cause);
    }

    static UnitException cannotStore(String store, Throwable cause) {
        return new UnitException(
                FailureCode.STORE_UNAVAILABLE,
                "cannot write to the store %s: %s. Check its free space and rights.".formatted(store, reason(cause)),
                cause);
    }

    private static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null || message.isEmpty() ? cause.getClass().getSimpleName() : message;
    }
}
