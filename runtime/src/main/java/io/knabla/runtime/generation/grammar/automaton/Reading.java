package io.knabla.runtime.generation.grammar.automaton;

import java.util.Arrays;
import java.util.List;

/** All ways to read a text so far. Made and asked under the lock of its {@link Reader}. */
public final class Reading {
    /** States before those that read a byte. */
    final Position[] positions;

    private final boolean complete;
    private final int hash;

    /** Those after one more byte, by its class, as far as they are known. */
    Reading[] next;

    Reading(List<Position> positions, boolean complete) {
        this.positions = positions.toArray(new Position[0]);
        this.complete = complete;
        this.hash = 2 * Arrays.hashCode(this.positions) + (complete ? 1 : 0);
    }

    /** A reading of the same text that knows none of the following ones. */
    private Reading(Reading other) {
        positions = other.positions;
        complete = other.complete;
        hash = other.hash;
    }

    Reading fresh() {
        return new Reading(this);
    }

    /** Whether the text is complete as it is. */
    public boolean isComplete() {
        return complete;
    }

    /** Whether no byte can follow. */
    public boolean isLast() {
        return positions.length == 0;
    }

    /** Whether the text is no beginning of any. */
    public boolean isDead() {
        return isLast() && !complete;
    }

    /** Number of ways, a measure of the work of reading on. */
    public int ways() {
        return positions.length;
    }

    /** What decides which tokens may follow: equal for readings with the same ones. */
    int[] key(PushdownAutomaton automaton) {
        int size = 1;
        for (Position position : positions) {
            size += 2 + Frame.depthOf(position.stack());
        }
        int[] key = new int[size];
        key[0] = complete ? 1 : 0;
        int at = 1;
        for (Position position : positions) {
            key[at++] = automaton.twin(position.state());
            for (Frame frame = position.stack(); frame != null; frame = frame.below) {
                key[at++] = automaton.twin(frame.state);
            }
            key[at++] = -1;
        }
        return key;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Reading one
                && one.hash == hash
                && one.complete == complete
                && Arrays.equals(one.positions, positions);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
