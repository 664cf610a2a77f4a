package io.knabla.runtime.generation.grammar.pattern;

import io.knabla.runtime.generation.grammar.automaton.TooLargeException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Nondeterministic automaton of a pattern, by Thompson's construction: a state has a set and one way, or two ways. */
final class Nfa {
    private static final int MOST = 20_000;

    /** @param characters null for a state that reads none */
    record State(CharSet characters, int next, int other) {}

    private static final int NONE = -1;

    private final WorkBudget budget;
    private final List<State> states = new ArrayList<>();
    final int start;
    private final int accepting;

    /** @throws TooLargeException if it has too many states */
    Nfa(Pattern pattern, WorkBudget budget) {
        this.budget = budget;
        accepting = add(null, NONE, NONE);
        start = add(pattern, accepting);
    }

    private int add(CharSet characters, int next, int other) {
        if (states.size() == MOST) {
            throw new TooLargeException("its pattern has more than %d states".formatted(MOST));
        }
        budget.spend(1);
        states.add(new State(characters, next, other));
        return states.size() - 1;
    }

    /** Adds a pattern before a state; its first state. */
    private int add(Pattern pattern, int next) {
        return switch (pattern) {
            case Pattern.One(var characters) -> add(characters, next, NONE);
            case Pattern.Sequence(var parts) -> sequence(parts, next);
            case Pattern.Choice(var options) -> choice(options, next);
            case Pattern.Repeat(var part, var least, var most) -> repeat(part, least, most, next);
        };
    }

    private int sequence(List<Pattern> parts, int next) {
        int at = next;
        for (Pattern part : parts.reversed()) {
            at = add(part, at);
        }
        return at;
    }

    private int choice(List<Pattern> options, int next) {
        int at = add(options.getLast(), next);
        for (Pattern option : options.reversed().subList(1, options.size())) {
            at = add(null, add(option, next), at);
        }
        return at;
    }

    private int repeat(Pattern part, int least, int most, int next) {
        int at = next;
        if (most == Pattern.Repeat.UNBOUNDED) {
            at = add(null, NONE, next);
            int inner = add(part, at);
            states.set(at, new State(null, inner, next));
        }
        for (int i = least; i < most; i++) {
            at = add(null, add(part, at), next);
        }
        for (int i = 0; i < least; i++) {
            at = add(part, at);
        }
        return at;
    }

    State state(int at) {
        return states.get(at);
    }

    boolean accepts(BitSet set) {
        return set.get(accepting);
    }

    /** Adds a state and all that follow without a character. */
    void close(int from, BitSet into) {
        var open = new ArrayList<Integer>(List.of(from));
        while (!open.isEmpty()) {
            int one = open.removeLast();
            if (one == NONE || into.get(one)) {
                continue;
            }
            into.set(one);
            State state = states.get(one);
            if (state.characters() == null) {
                open.add(state.next());
                open.add(state.other());
            }
        }
    }
}
