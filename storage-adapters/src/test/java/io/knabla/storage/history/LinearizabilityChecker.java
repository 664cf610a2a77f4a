package io.knabla.storage.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks whether a history of one register is linearizable, by the algorithm of Wing and Gong, "Testing and Verifying
 * Concurrent Objects" (1993), with the cache of visited configurations of Lowe, "Testing for Linearizability" (2017).
 * Takes nearly linear time if all written values differ, as values chained by etag do.
 */
public final class LinearizabilityChecker {
    /** One search step, linked to the previous one to reconstruct the order. */
    private record Step(Configuration now, Operation last, Step before) {}

    private final List<Operation> known;
    private final List<Operation> unknown;

    /** Swaps of unknown outcome by expected value: each is possible at that value only. */
    private final Map<String, List<Integer>> swaps = new HashMap<>();

    private final List<Integer> writes = new ArrayList<>();
    private final Set<Configuration> visited = new HashSet<>();
    private final Deque<Step> open = new ArrayDeque<>();

    private LinearizabilityChecker(List<Operation> history) {
        List<Operation> sorted = history.stream()
                .sorted(Comparator.comparingLong(Operation::invoked))
                .toList();
        known = sorted.stream().filter(Operation::isKnown).toList();
        unknown = sorted.stream().filter(operation -> !operation.isKnown()).toList();
        for (int i = 0; i < unknown.size(); i++) {
            switch (unknown.get(i).call()) {
                case Call.Swap swap ->
                    swaps.computeIfAbsent(swap.expected(), _ -> new ArrayList<>())
                            .add(i);
                case Call.Write _ -> writes.add(i);
                case Call.Read _ -> throw new AssertionError("a read is always known");
            }
        }
    }

    /** @param initial value of the register before the first operation */
    public static Verdict check(String initial, List<Operation> history) {
        return new LinearizabilityChecker(history).search(initial);
    }

    private Verdict search(String initial) {
        var start = new Step(new Configuration(0, new BitSet(), new BitSet(), initial), null, null);
        Step best = start;
        open.push(start);
        while (!open.isEmpty()) {
            Step step = looked(open.pop());
            if (step.now().first() == known.size()) {
                return new Verdict.Linearizable(order(step));
            }
            if (step.now().explained() > best.now().explained()) {
                best = step;
            }
            branch(step);
        }
        Configuration end = looked(best).now();
        return new Verdict.Impossible(
                end.explained(),
                end.value(),
                candidates(end).stream().map(known::get).toList());
    }

    /** Orders possible read-only operations first: they do not change the register. */
    private Step looked(Step step) {
        for (boolean again = true; again; ) {
            again = false;
            for (int i : candidates(step.now())) {
                Operation operation = known.get(i);
                if (operation.isReadOnly() && operation.isPossibleAt(step.now().value())) {
                    String value = step.now().value();
                    step = new Step(step.now().withKnown(i, value), operation, step);
                    again = true;
                }
            }
        }
        return step;
    }

    private void branch(Step step) {
        Configuration now = step.now();
        long deadline = deadline(now);
        List<Integer> guesses = new ArrayList<>(writes);
        guesses.addAll(swaps.getOrDefault(now.value(), List.of()));
        for (int i : guesses) {
            Operation guess = unknown.get(i);
            if (guess.invoked() <= deadline && !now.guessed().get(i)) {
                visit(new Step(now.withGuessed(i, guess.after(now.value())), guess, step));
            }
        }
        // Pushed last, so tried first: an operation of known outcome.
        for (int i : candidates(now)) {
            Operation operation = known.get(i);
            if (!operation.isReadOnly() && operation.isPossibleAt(now.value())) {
                visit(new Step(now.withKnown(i, operation.after(now.value())), operation, step));
            }
        }
    }

    private void visit(Step step) {
        if (visited.add(step.now())) {
            open.push(step);
        }
    }

    /**
     * Returns the operations of known outcome that may come next: no other unordered operation returned before their
     * invocation.
     */
    private List<Integer> candidates(Configuration now) {
        List<Integer> candidates = new ArrayList<>();
        long deadline = Long.MAX_VALUE;
        for (int i = now.first(); i < known.size() && known.get(i).invoked() <= deadline; i++) {
            if (!now.has(i)) {
                candidates.add(i);
                deadline = Math.min(deadline, known.get(i).returned());
            }
        }
        return candidates;
    }

    private long deadline(Configuration now) {
        return candidates(now).stream()
                .mapToLong(i -> known.get(i).returned())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static List<Operation> order(Step last) {
        Deque<Operation> order = new ArrayDeque<>();
        for (Step step = last; step.last() != null; step = step.before()) {
            order.addFirst(step.last());
        }
        return List.copyOf(order);
    }
}
