package io.knabla.runtime.generation.loop;

/** When the tokens of one text were chosen, in nanoseconds of the generator's clock. For one thread at a time. */
final class TextTimes {
    private final long submitted;
    private long first;
    private long last;
    private long sinceLast;
    private int tokens;

    TextTimes(long submitted) {
        this.submitted = submitted;
    }

    /** When its request arrived. */
    long submitted() {
        return submitted;
    }

    void token(long now) {
        first = tokens == 0 ? now : first;
        sinceLast = tokens == 0 ? 0 : now - last;
        last = now;
        tokens++;
    }

    int tokens() {
        return tokens;
    }

    long firstTokenNanos() {
        return first - submitted;
    }

    /** Between the last two tokens. */
    long sinceLastNanos() {
        return sinceLast;
    }

    /** Mean time between its tokens, of which there are two or more. */
    long perOutputTokenNanos() {
        return (last - first) / (tokens - 1);
    }
}
