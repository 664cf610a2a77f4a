package io.knabla.controller.catalog;

/**
 * Signals a damaged or too new catalog document, or a change that lost every attempt against other writers. The message
 * states the cause and the remedy.
 */
public final class CatalogException extends RuntimeException {
    /** Kind of fault, which decides the HTTP status. */
    public enum Kind {
        /** The document cannot be parsed. */
        DAMAGED,
        /** A newer Knabla wrote the document. */
        NEWER,
        /** Every attempt lost against another writer. */
        BUSY
    }

    private final Kind kind;

    private CatalogException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    static CatalogException damaged(String why, Throwable cause) {
        return new CatalogException(Kind.DAMAGED, why, cause);
    }

    static CatalogException newer(long schema) {
        return new CatalogException(
                Kind.NEWER,
                "it has schema %d, this Knabla reads up to %d. Update Knabla to use this function."
                        .formatted(schema, RecordJson.SCHEMA),
                null);
    }

    static CatalogException busy(FunctionId id, int attempts) {
        return new CatalogException(
                Kind.BUSY,
                "function '%s' was not changed: other writers changed it during each of %d attempts. Try again."
                        .formatted(id, attempts),
                null);
    }

    /** The same fault with the name of the document and the remedy in the message. */
    CatalogException in(String key, String store, FunctionId id) {
        return switch (kind) {
            case DAMAGED ->
                new CatalogException(
                        kind,
                        "the catalog's document '%s' in the store %s is damaged: %s. Restore it, or delete function '%s' and deploy it again."
                                .formatted(key, store, getMessage(), id),
                        this);
            case NEWER ->
                new CatalogException(
                        kind,
                        "the catalog's document '%s' in the store %s cannot be read: %s"
                                .formatted(key, store, getMessage()),
                        this);
            case BUSY -> this;
        };
    }
}
