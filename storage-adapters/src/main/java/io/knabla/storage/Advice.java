package io.knabla.storage;

import io.knabla.storage.StorageException.Kind;

/**
 * Cause and remedy of a failed request to a store.
 *
 * @param problem a clause, with its punctuation
 * @param cure one or more sentences
 */
public record Advice(Kind kind, String problem, String cure) {
    /** Advice on a failure that a retry may resolve. */
    public static Advice unavailable(String problem, String cure) {
        return new Advice(Kind.UNAVAILABLE, problem, cure);
    }

    public String text() {
        return problem + " " + cure;
    }

    /** @param what was attempted, and where: the beginning of the problem */
    public StorageException failed(String what, Throwable cause) {
        return new StorageException(kind, what + problem, cure, cause);
    }
}
