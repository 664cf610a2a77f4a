package io.knabla.runtime.generation.grammar.automaton;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads texts byte by byte, and remembers what follows what: a deterministic automaton that grows as it is used, up to
 * a few megabytes. For one thread at a time.
 */
public final class Reader {
    /** More ways are not followed, the last ones first: what is still read is a text of the automaton. */
    private static final int MOST_WAYS = 512;

    private static final int MOST_BYTES = 2 << 20;
    private static final int BYTES_OF_READING = 160;
    private static final int BYTES_OF_WAY = 80;

    private final PushdownAutomaton automaton;
    private final Reading dead = new Reading(List.of(), false);
    private final Map<Reading, Reading> known = new HashMap<>();
    private int bytes;

    public Reader(PushdownAutomaton automaton) {
        this.automaton = automaton;
    }

    /** The reading of an empty text. */
    public Reading start() {
        var closure = new Closure();
        closure.enter(automaton.start, null);
        return closure.reading();
    }

    /** The reading after one more byte, 0 to 255. */
    public Reading step(Reading from, int one) {
        int kind = automaton.classOf(one);
        Reading known = from.next == null ? null : from.next[kind];
        return known != null ? known : follow(from, one, kind);
    }

    /** What decides which tokens may follow. */
    public int[] key(Reading reading) {
        return reading.key(automaton);
    }

    /** The same reading as one that holds nothing that was forgotten; to be asked for before a text is read on. */
    public Reading resume(Reading reading) {
        if (bytes > MOST_BYTES) {
            known.clear();
            bytes = 0;
        }
        Reading same = known.get(reading);
        return same != null ? same : remember(reading.fresh());
    }

    private Reading follow(Reading from, int one, int kind) {
        Reading next = follow(from, one);
        if (bytes <= MOST_BYTES) {
            from.next = from.next == null ? new Reading[automaton.classes()] : from.next;
            from.next[kind] = next;
        }
        return next;
    }

    private Reading follow(Reading from, int one) {
        var closure = new Closure();
        for (Position position : from.positions) {
            int[] edges = automaton.edges[position.state()];
            for (int i = 0; i < edges.length; i += 3) {
                if (one >= edges[i] && one <= edges[i + 1]) {
                    closure.enter(edges[i + 2], position.stack());
                }
            }
        }
        return closure.reading();
    }

    private Reading remember(Reading reading) {
        if (reading.isDead()) {
            return dead;
        }
        Reading before = known.get(reading);
        if (before != null || bytes > MOST_BYTES) {
            return before != null ? before : reading;
        }
        known.put(reading, reading);
        bytes += BYTES_OF_READING + 4 * automaton.classes() + BYTES_OF_WAY * reading.ways();
        return reading;
    }

    /** States that are reached without a byte. */
    private final class Closure {
        private final Set<Position> seen = new HashSet<>();
        private final List<Position> reading = new ArrayList<>();
        private boolean complete;

        void enter(int state, Frame stack) {
            var position = new Position(state, stack);
            if (Frame.depthOf(stack) + automaton.depths[state] > PushdownAutomaton.DEEPEST
                    || reading.size() >= MOST_WAYS
                    || !seen.add(position)) {
                return;
            }
            if (automaton.edges[state].length > 0) {
                reading.add(position);
            }
            if (automaton.accepts[state]) {
                accept(stack);
            }
            call(automaton.calls[state], stack);
        }

        private void accept(Frame stack) {
            if (stack == null) {
                complete = true;
            } else {
                enter(stack.state, stack.below);
            }
        }

        private void call(int[] calls, Frame stack) {
            for (int i = 0; i < calls.length; i += 2) {
                int then = calls[i + 1];
                if (then == PushdownAutomaton.NOWHERE) {
                    enter(calls[i], stack);
                } else if (Frame.depthOf(stack) + automaton.depths[then] <= PushdownAutomaton.DEEPEST) {
                    enter(calls[i], new Frame(then, stack));
                }
            }
        }

        Reading reading() {
            return remember(new Reading(reading, complete));
        }
    }
}
