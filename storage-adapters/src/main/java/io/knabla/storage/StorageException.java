package io.knabla.storage;

/** Thrown if a store operation fails: outage, full disk, missing permission. No object was partly written. */
public final class StorageException extends RuntimeException {
    public StorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
