package io.knabla.runtime.generation;

/**
 * Why a text could not be completed.
 *
 * @param message for the client: what went wrong, and what to do
 */
public record GenerationFailure(Kind kind, String message) {
    /** Kinds that a client may treat differently. */
    public enum Kind {
        /** The request waited longer than allowed; a retry may succeed. */
        WAITED_TOO_LONG,
        /** The decoder computed logits that are no numbers. */
        NOT_FINITE,
        /** The engine failed; a retry may succeed. */
        ENGINE,
        /** The replica closed; a retry at another one may succeed. */
        CLOSED
    }
}
