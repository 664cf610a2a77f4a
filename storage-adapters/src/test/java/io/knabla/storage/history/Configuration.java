package io.knabla.storage.history;

import java.util.BitSet;

/**
 * State of the search: the operations ordered so far and the value of the register. Two search paths with equal
 * configurations have the same continuations.
 *
 * @param first the first operation of known outcome, by invocation, that is not ordered yet
 * @param ahead ordered operations after {@code first}, by their distance from it
 * @param guessed the operations of unknown outcome that are assumed to have taken effect
 */
record Configuration(int first, BitSet ahead, BitSet guessed, String value) {
    boolean has(int known) {
        return known < first || ahead.get(known - first);
    }

    int explained() {
        return first + ahead.cardinality();
    }

    Configuration withKnown(int known, String after) {
        var all = (BitSet) ahead.clone();
        all.set(known - first);
        int done = all.nextClearBit(0);
        return new Configuration(first + done, all.get(done, Math.max(done, all.length())), guessed, after);
    }

    Configuration withGuessed(int unknown, String after) {
        var all = (BitSet) guessed.clone();
        all.set(unknown);
        return new Configuration(first, ahead, all, after);
    }
}
