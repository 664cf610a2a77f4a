package io.knabla.runtime.generation;

import java.time.Duration;

/** Answer to a request: its text, or why there will be none. */
public sealed interface Submission {
    record Accepted(Generation generation) implements Submission {}

    /** @param retryAfter after which a repeated request is likely to find room; whole seconds, 1 or more */
    record QueueFull(Duration retryAfter) implements Submission {}

    /**
     * @param tokens of the prompt
     * @param most tokens that a prompt may have, so that one more can be generated
     */
    record PromptTooLong(int tokens, int most) implements Submission {}

    /** @param reason names the value, and what is allowed */
    record Invalid(String reason) implements Submission {}

    /** The generator is closed, or closes. */
    record Closed() implements Submission {}
}
