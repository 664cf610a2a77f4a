package io.knabla.storage;

/** The store could not do what was asked: an outage, a full disk, missing rights. Nothing was half-written. */
public final class StorageException extends RuntimeException {
    public StorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
