package io.knabla.runtime.generation;

/** Why a text is complete. */
public enum FinishReason {
    /** The model chose a token that ends a text, or a stop text appeared. */
    STOP,
    /** The most tokens of the request were generated, or the context is full. */
    LENGTH,
    /** It was cancelled. */
    CANCELLED
}
