package io.knabla.functions.spec;

import java.time.Duration;
import java.util.Optional;

/**
 * Limits of text generation.
 *
 * @param contextLength most tokens of a prompt and its answer together; empty for the most that the model was made for
 * @param maxSequences texts that one replica generates at a time
 * @param keyValueBytes memory of a replica for keys and values; empty for what all sequences take, within bounds
 */
public record Generation(
        Optional<Integer> contextLength,
        int maxSequences,
        Optional<Long> keyValueBytes,
        Queue queue,
        Objectives objectives) {
    /** The limits of a function that sets none. */
    public static final Generation DEFAULT = new Generation(
            Optional.empty(), 16, Optional.empty(), new Queue(64, Duration.ofSeconds(30)), Objectives.NONE);

    /**
     * Requests that wait for a sequence to end.
     *
     * @param max requests beyond these are refused at once
     * @param maxWait after which a request is refused
     */
    public record Queue(int max, Duration maxWait) {}

    /**
     * Times that texts should keep; what misses them is counted.
     *
     * @param timeToFirstToken from a request's arrival to its first token
     * @param timePerOutputToken mean time between the tokens of a text; long prompts are read in pieces that keep it
     */
    public record Objectives(Optional<Duration> timeToFirstToken, Optional<Duration> timePerOutputToken) {
        static final Objectives NONE = new Objectives(Optional.empty(), Optional.empty());
    }
}
