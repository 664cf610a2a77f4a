package io.knabla.runtime.generation.grammar.pattern;

import io.knabla.runtime.generation.grammar.automaton.TooLargeException;
import io.knabla.runtime.generation.grammar.pattern.CharSet.Range;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Deterministic automaton of a pattern and bounds of the length in characters, by the construction of subsets. State 0
 * is the first.
 */
public final class Dfa {
    private static final int MOST_STATES = 5000;

    /** @param next the characters that lead to each state */
    public record State(boolean accepts, Map<Integer, CharSet> next) {}

    private record Subset(BitSet states, int count) {}

    private final Nfa nfa;
    private final int least;
    private final int most;
    private final Map<Subset, Integer> numbers = new HashMap<>();
    private final List<Subset> open = new ArrayList<>();
    private final List<State> states = new ArrayList<>();
    private final WorkBudget budget;

    private Dfa(Pattern pattern, int least, int most, WorkBudget budget) {
        this.budget = budget;
        this.nfa = new Nfa(pattern, budget);
        this.least = least;
        this.most = most;
        BitSet first = new BitSet();
        nfa.close(nfa.start, first);
        number(new Subset(first, 0));
        for (int i = 0; i < open.size(); i++) {
            states.add(state(open.get(i)));
        }
    }

    /**
     * @param least characters of a text
     * @param most characters of a text; -1 for any number
     * @param budget that this takes its work from
     * @throws TooLargeException if the automaton has too many states, or the budget is spent
     */
    public static List<State> of(Pattern pattern, int least, int most, WorkBudget budget) {
        return List.copyOf(new Dfa(pattern, least, most, budget).states);
    }

    private int number(Subset subset) {
        Integer known = numbers.get(subset);
        if (known != null) {
            return known;
        }
        if (open.size() == MOST_STATES) {
            throw new TooLargeException("its pattern needs more than %d states".formatted(MOST_STATES));
        }
        numbers.put(subset, open.size());
        open.add(subset);
        return open.size() - 1;
    }

    private State state(Subset from) {
        boolean accepts = nfa.accepts(from.states()) && from.count() >= least;
        Map<Integer, CharSet> next = new LinkedHashMap<>();
        if (most >= 0 && from.count() == most) {
            return new State(accepts, next);
        }
        int count = most < 0 && from.count() >= least ? from.count() : from.count() + 1;
        ranges(from.states(), count).forEach((to, ranges) -> next.put(to, CharSet.of(ranges)));
        return new State(accepts, next);
    }

    private Map<Integer, List<Range>> ranges(BitSet from, int count) {
        Map<Integer, List<Range>> next = new LinkedHashMap<>();
        List<Integer> bounds = bounds(from);
        for (int i = 0; i + 1 < bounds.size(); i++) {
            BitSet reached = reached(from, bounds.get(i));
            if (!reached.isEmpty()) {
                next.computeIfAbsent(number(new Subset(reached, count)), _ -> new ArrayList<>())
                        .add(new Range(bounds.get(i), bounds.get(i + 1) - 1));
            }
        }
        return next;
    }

    /** Where a range begins or ends: between two neighbours all characters lead to the same states. */
    private List<Integer> bounds(BitSet from) {
        var bounds = new TreeSet<Integer>();
        from.stream()
                .mapToObj(nfa::state)
                .filter(one -> one.characters() != null)
                .forEach(one -> {
                    for (Range range : one.characters().ranges()) {
                        budget.spend(1);
                        bounds.add(range.low());
                        bounds.add(range.high() + 1);
                    }
                });
        return List.copyOf(bounds);
    }

    private BitSet reached(BitSet from, int character) {
        var reached = new BitSet();
        for (int one = from.nextSetBit(0); one >= 0; one = from.nextSetBit(one + 1)) {
            budget.spend(1);
            Nfa.State state = nfa.state(one);
            if (state.characters() != null && state.characters().contains(character)) {
                nfa.close(state.next(), reached);
            }
        }
        budget.spend(1 + reached.cardinality());
        return reached;
    }
}
