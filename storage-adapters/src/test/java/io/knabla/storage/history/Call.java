package io.knabla.storage.history;

/** One call on a register of strings and its result. */
public sealed interface Call {
    enum Outcome {
        WON,
        LOST,
        /** No response: the call may have taken effect at any time since, or never. */
        UNKNOWN
    }

    record Read(String found) implements Call {}

    /** Compare-and-swap: writes {@code wanted} if the value is {@code expected}. */
    record Swap(String expected, String wanted, Outcome outcome) implements Call {}

    /** Writes unconditionally; never {@link Outcome#LOST}. */
    record Write(String value, Outcome outcome) implements Call {
        public Write {
            if (outcome == Outcome.LOST) {
                throw new IllegalArgumentException("an unconditional write cannot lose");
            }
        }
    }
}
