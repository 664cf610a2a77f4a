package io.knabla.controller.catalog;

import io.knabla.storage.StorageException;

/**
 * Signals a damaged, unreadable or too new catalog document, or a change that lost every attempt against other writers.
 * The message states the cause and the remedy.
 */
public final class CatalogException extends RuntimeException {
    /** Kind of fault, which decides the HTTP status. */
    public enum Kind {
        /** The document cannot be parsed, or is not what was written. */
        DAMAGED,
        /** The store has the document and cannot read it. */
        UNREADABLE,
        /** A newer Knabla wrote the document. */
        NEWER,
        /** Every attempt lost against another writer. */
        BUSY
    }

    private final Kind kind;
    private final FunctionId function;

    private CatalogException(Kind kind, FunctionId function, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.function = function;
    }

    /** The function of the document. */
    public FunctionId function() {
        return function;
    }

    public Kind kind() {
        return kind;
    }

    static CatalogException damaged(FunctionId function, String why, Throwable cause) {
        return new CatalogException(Kind.DAMAGED, function, why, cause);
    }

    public static CatalogException unreadable(FunctionId function, StorageException why) {
        return new CatalogException(Kind.UNREADABLE, function, why.getMessage(), why);
    }

    static CatalogException newer(FunctionId function, long schema) {
        return new CatalogException(
                Kind.NEWER,
                function,
                "it has schema %d, this Knabla reads up to %d. Update Knabla to use this function."
                        .formatted(schema, RecordJson.SCHEMA),
                null);
    }

    static CatalogException busy(FunctionId id, int attempts) {
        return new CatalogException(
                Kind.BUSY,
                id,
                "function '%s' was not changed: other writers changed it during each of %d attempts. Try again."
                        .formatted(id, attempts),
                null);
    }

    /** The same fault with the name of the document and the remedy in the message. */
    CatalogException in(String key, String store) {
        return switch (kind) {
            case DAMAGED ->
                new CatalogException(
                        kind,
                        function,
                        "the catalog's document '%s' in the store %s is damaged: %s. Restore it, or delete function '%s' and deploy it again."
                                .formatted(key, store, getMessage(), function),
                        this);
            case NEWER ->
                new CatalogException(
                        kind,
                        function,
                        "the catalog's document '%s' in the store %s cannot be read: %s"
                                .formatted(key, store, getMessage()),
                        this);
            case UNREADABLE, BUSY -> this;
        };
    }
}
