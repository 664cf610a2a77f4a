package io.knabla.runtime.generation.loop;

/**
 * Decides by what runs took on this machine whether a step that guesses gives more tokens in a time than one that does
 * not. Without guesses, one run gives a token of each text. With guesses, each text has a run of its own, for the
 * engine's attention takes several tokens after others only of one text. For one thread.
 */
final class GuessGain {
    /** Beyond so many texts a step without guesses is always faster. */
    static final int MOST_TEXTS = 2;

    private final MeanOfRuns[] plain = {new MeanOfRuns(), new MeanOfRuns()};
    private final MeanOfRuns guessed = new MeanOfRuns();

    /**
     * A step without guesses has ended.
     *
     * @param texts of which it gave a token each
     */
    void plain(int texts, long nanos) {
        if (texts <= MOST_TEXTS) {
            plain[texts - 1].add(nanos);
        }
    }

    /** A run with a guess has ended. */
    void guessed(long nanos) {
        guessed.add(nanos);
    }

    /** Whether a step without guesses of so many texts was measured, without which no gain can be told. */
    boolean isMeasured(int texts) {
        return plain[texts - 1].isKnown();
    }

    /**
     * Whether to guess.
     *
     * @param texts 1 or 2
     * @param guesses of these, those that have a guess
     * @param tokens that the step with guesses is expected to give in all
     */
    boolean pays(int texts, int guesses, double tokens) {
        if (guesses == 0 || !isMeasured(texts)) {
            return false;
        }
        double step = plain[texts - 1].or(0);
        double nanos = guesses * guessed.or(0) + (texts - guesses) * plain[0].or(step);
        return tokens * step > texts * nanos;
    }
}
