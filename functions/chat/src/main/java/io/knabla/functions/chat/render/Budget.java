package io.knabla.functions.chat.render;

/** Bounds the work and the memory of one rendering in steps. A step is one expression, or 8 characters of a result. */
final class Budget {
    private static final int MOST_STEPS = 4_000_000;
    private static final int LONGEST_TEXT = 1 << 24;
    private static final int DEEPEST = 300;
    private static final int PER_STEP = 8;

    private long steps;
    private int depth;

    void step() {
        spend(1);
    }

    /** @param size characters or items that are read or made, before they are */
    void charge(long size) {
        if (size > LONGEST_TEXT) {
            throw RefusedException.of(
                    "the template makes a text or list of more than %d characters or items; shorten the messages",
                    LONGEST_TEXT);
        }
        spend(1 + size / PER_STEP);
    }

    /** @param count references to values that are made */
    void chargeItems(long count) {
        charge(count > Long.MAX_VALUE / 2 ? count : 2 * count);
    }

    /** @param count values that are made */
    void chargeValues(long count) {
        charge(32 * count);
    }

    private void spend(long more) {
        steps += more;
        if (steps > MOST_STEPS) {
            throw RefusedException.of(
                    "the template takes more than %d steps with these messages; shorten them", MOST_STEPS);
        }
    }

    void enter() {
        if (++depth > DEEPEST) {
            throw RefusedException.of("macros and expressions are nested more than %d deep", DEEPEST);
        }
    }

    void leave() {
        depth--;
    }
}
