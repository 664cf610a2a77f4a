package io.knabla.runtime.schedule;

/**
 * What the scheduler knows of one sequence.
 *
 * @param id ascending by arrival
 * @param prompt tokens of its prompt
 * @param tokens of prompt and text together
 * @param kept tokens whose keys and values are computed
 * @param remaining tokens that may still be generated
 */
public record SequenceLoad(long id, int prompt, int tokens, int kept, int remaining) {
    boolean isReading() {
        return kept < prompt;
    }

    /** Tokens whose memory it has after the next step; one that reads may end its prompt and decode at once. */
    long needed() {
        return ScheduleLimits.charged((isReading() ? prompt : kept) + 1L);
    }

    /** Tokens whose memory it is expected to have later. */
    long forecast(int output) {
        return ScheduleLimits.charged((long) tokens + Math.min(remaining, output));
    }
}
