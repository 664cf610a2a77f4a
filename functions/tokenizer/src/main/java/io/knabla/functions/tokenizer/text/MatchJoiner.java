package io.knabla.functions.tokenizer.text;

import io.knabla.functions.tokenizer.spec.Behavior;

/** Makes pieces of the parts of a text: drops matches, isolates them, or joins them with neighbours. */
final class MatchJoiner implements Matches.Sink {
    private final Behavior behavior;
    private final boolean invert;
    private final Pieces next;
    private final String text;
    private final int start;
    private final boolean first;
    private int from = -1;
    private int to;
    private boolean match;

    MatchJoiner(Behavior behavior, boolean invert, Pieces next, String text, int start, boolean first) {
        this.behavior = behavior;
        this.invert = invert;
        this.next = next;
        this.text = text;
        this.start = start;
        this.first = first;
    }

    @Override
    public void part(int partFrom, int partTo, boolean found) {
        boolean isMatch = found != invert;
        if (from < 0 || !joins(isMatch)) {
            flush();
            from = partFrom;
        }
        to = partTo;
        match = isMatch;
    }

    private boolean joins(boolean isMatch) {
        return switch (behavior) {
            case ISOLATED, REMOVED -> false;
            case CONTIGUOUS -> isMatch == match;
            case MERGED_WITH_PREVIOUS -> isMatch && !match;
            case MERGED_WITH_NEXT -> !isMatch && match;
        };
    }

    /** Passes the last piece on. */
    void flush() {
        boolean removed = match && behavior == Behavior.REMOVED;
        if (from >= 0 && from < to && !removed) {
            next.piece(text, from, to, first && from == start);
        }
    }
}
