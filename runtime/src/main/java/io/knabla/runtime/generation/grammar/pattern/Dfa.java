package io.knabla.runtime.generation.grammar.pattern;

import io.knabla.runtime.generation.grammar.network.TooLargeException;
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
    private static final long MOST_WORK = 5_000_000;

    /** @param next the characters that lead to each state */
    public record State(boolean accepts, Map<Integer, CharSet> next) {}

    private record Subset(BitSet states, int count) {}

    private final Nfa nfa;
    private final int least;
    private final int most;
    private final Map<Subset, Integer> numbers = new HashMap<>();
    private final List<Subset> open = new ArrayList<>();
    private final List<State> states = new ArrayList<>();
    private long work;

    private Dfa(Pattern pattern, int least, int most) {
        this.nfa = new Nfa(pattern);
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
     * @throws TooLargeException if the automaton has too many states
     */
    public static List<State> of(Pattern pattern, int least, int most) {
        return List.copyOf(new Dfa(pattern, least, most).states);
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
        List<Integer> bounds = bounds(from.states());
        for (int i = 0; i + 1 < bounds.size(); i++) {
            BitSet reached = reached(from.states(), bounds.get(i));
            CharSet between = CharSet.of(bounds.get(i), bounds.get(i + 1) - 1);
            if (!reached.isEmpty()) {
                next.merge(number(new Subset(reached, count)), between, CharSet::or);
            }
        }
        return new State(accepts, next);
    }

    /** Where a range begins or ends: between two neighbours all characters lead to the same states. */
    private List<Integer> bounds(BitSet from) {
        var bounds = new TreeSet<Integer>();
        from.stream()
                .mapToObj(nfa::state)
                .filter(one -> one.characters() != null)
                .forEach(one -> {
                    for (Range range : one.characters().ranges()) {
                        work(1);
                        bounds.add(range.low());
                        bounds.add(range.high() + 1);
                    }
                });
        return List.copyOf(bounds);
    }

    private BitSet reached(BitSet from, int character) {
        var reached = new BitSet();
        for (int one = from.nextSetBit(0); one >= 0; one = from.nextSetBit(one + 1)) {
            work(1);
            Nfa.State state = nfa.state(one);
            if (state.characters() != null && contains(state.characters(), character)) {
                nfa.close(state.next(), reached);
            }
        }
        work(reached.cardinality());
        return reached;
    }

    private static boolean contains(CharSet set, int character) {
        return set.ranges().stream().anyMatch(range -> range.low() <= character && character <= range.high());
    }

    private void work(int more) {
        work += more;
        if (work > MOST_WORK) {
            throw new TooLargeException("its pattern takes too long to compile");
        }
    }
}
