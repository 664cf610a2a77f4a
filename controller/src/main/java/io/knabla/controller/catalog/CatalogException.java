package io.knabla.controller.catalog;

/** A document of the catalog that cannot be used; the message says which, and what to do. */
public final class CatalogException extends RuntimeException {
    /** What kind of trouble it is, for those who answer callers. */
    public enum Kind {
        /** The document is not what was written there. */
        DAMAGED,
        /** A newer Knabla wrote it. */
        NEWER,
        /** Others changed it faster than this writer could. */
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
                "others changed function '%s' %d times while it was to be changed. Try again.".formatted(id, attempts),
                null);
    }

    /** The same trouble, with the document it is about and the cure. */
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
