package io.knabla.storage.history;

import java.util.BitSet;

/**
 * Which operations were put in order so far and what the register holds: two ways that lead here are the same from here
 * on.
 *
 * @param first the first operation of known outcome, by invocation, that is not in order yet
 * @param ahead those in order behind it, counted from it
 * @param guessed the operations of unknown outcome that are taken to have happened
 */
record Moment(int first, BitSet ahead, BitSet guessed, String value) {
    boolean has(int known) {
        return known < first || ahead.get(known - first);
    }

    int explained() {
        return first + ahead.cardinality();
    }

    Moment withKnown(int known, String after) {
        var all = (BitSet) ahead.clone();
        all.set(known - first);
        int done = all.nextClearBit(0);
        return new Moment(first + done, all.get(done, Math.max(done, all.length())), guessed, after);
    }

    Moment withGuessed(int unknown, String after) {
        var all = (BitSet) guessed.clone();
        all.set(unknown);
        return new Moment(first, ahead, all, after);
    }
}
