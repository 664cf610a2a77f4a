package io.knabla.functions.tokenizer.spec;

/** Treatment of the matches at which a text is split: removed, isolated, or joined with a neighbour. */
public enum Behavior {
    ISOLATED("Isolated"),
    REMOVED("Removed"),
    MERGED_WITH_PREVIOUS("MergedWithPrevious"),
    MERGED_WITH_NEXT("MergedWithNext"),
    /** Adjacent matches become one piece. */
    CONTIGUOUS("Contiguous");

    private final String label;

    Behavior(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
