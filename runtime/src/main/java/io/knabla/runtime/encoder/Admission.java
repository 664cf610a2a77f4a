package io.knabla.runtime.encoder;

/** What becomes of a request for texts to be computed. */
public sealed interface Admission {
    record Accepted(EncodeJob job) implements Admission {}

    /** Too many texts wait already. */
    record QueueFull() implements Admission {}

    /** The encoder is closed. */
    record Closed() implements Admission {}
}
