package io.knabla.storage.history;

/** What a client asked of a register of texts, and what it was told. */
public sealed interface Act {
    enum Outcome {
        WON,
        LOST,
        /** No answer came: it may have happened, at any time since, or never. */
        UNKNOWN
    }

    record Read(String found) implements Act {}

    /** Writes {@code wanted} over {@code expected} and over nothing else. */
    record Swap(String expected, String wanted, Outcome outcome) implements Act {}

    /** Writes whatever was there; never {@link Outcome#LOST}. */
    record Write(String value, Outcome outcome) implements Act {
        public Write {
            if (outcome == Outcome.LOST) {
                throw new IllegalArgumentException("an unconditional write cannot lose");
            }
        }
    }
}
