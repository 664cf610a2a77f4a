package io.knabla.runtime.generation.loop;

import io.knabla.functions.unit.generation.Speculation;
import io.knabla.runtime.schedule.MovingAverage;

/**
 * Decides by what runs took on this machine whether a step with draft tokens gives more tokens in a time than one
 * without. Without them, one run gives a token of each text. With them, each text has a run of its own, for the
 * engine's attention takes several tokens after others only of one text. For one thread.
 */
final class SpeculationGain {
    /** Beyond so many texts a step without draft tokens is always faster. */
    static final int MOST_TEXTS = Speculation.MOST_TEXTS;

    private final MovingAverage[] plain = {new MovingAverage(), new MovingAverage()};
    private final MovingAverage speculative = new MovingAverage();

    /**
     * A step without draft tokens has ended.
     *
     * @param texts of which it gave a token each
     */
    void plain(int texts, long nanos) {
        if (texts <= MOST_TEXTS) {
            plain[texts - 1].add(nanos);
        }
    }

    /** A run with draft tokens has ended. */
    void speculative(long nanos) {
        speculative.add(nanos);
    }

    /** Whether a step without draft tokens of so many texts was measured, without which no gain can be told. */
    boolean isMeasured(int texts) {
        return plain[texts - 1].isKnown();
    }

    /**
     * Whether to use the drafts.
     *
     * @param texts 1 or 2
     * @param drafts of these, those that have a draft
     * @param tokens that the step with them is expected to give in all
     */
    boolean pays(int texts, int drafts, double tokens) {
        if (drafts == 0 || !isMeasured(texts)) {
            return false;
        }
        double step = plain[texts - 1].or(0);
        double nanos = drafts * speculative.or(0) + (texts - drafts) * plain[0].or(step);
        return tokens * step > texts * nanos;
    }
}
