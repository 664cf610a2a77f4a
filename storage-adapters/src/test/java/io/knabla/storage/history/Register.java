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
 * Judges histories of one register, after Wing and Gong, "Testing and Verifying Concurrent Objects" (1993), with the
 * memory of visited configurations of Lowe, "Testing for Linearizability" (2017). Where every written value differs, as
 * values chained by etag do, the work is near linear.
 */
public final class Register {
    /** A step on the way: how it was reached, for the answer. */
    private record Step(Moment now, Operation last, Step before) {}

    private final List<Operation> known;
    private final List<Operation> unknown;

    /** Swaps of unknown outcome by what they expect: each fits at that value only. */
    private final Map<String, List<Integer>> swaps = new HashMap<>();

    private final List<Integer> writes = new ArrayList<>();
    private final Set<Moment> visited = new HashSet<>();
    private final Deque<Step> open = new ArrayDeque<>();

    private Register(List<Operation> history) {
        List<Operation> sorted = history.stream()
                .sorted(Comparator.comparingLong(Operation::invoked))
                .toList();
        known = sorted.stream().filter(Operation::isKnown).toList();
        unknown = sorted.stream().filter(operation -> !operation.isKnown()).toList();
        for (int i = 0; i < unknown.size(); i++) {
            switch (unknown.get(i).act()) {
                case Act.Swap swap ->
                    swaps.computeIfAbsent(swap.expected(), _ -> new ArrayList<>())
                            .add(i);
                case Act.Write _ -> writes.add(i);
                case Act.Read _ -> throw new AssertionError("a read is always known");
            }
        }
    }

    /** @param initial what the register held before the first operation */
    public static Verdict check(String initial, List<Operation> history) {
        return new Register(history).search(initial);
    }

    private Verdict search(String initial) {
        var start = new Step(new Moment(0, new BitSet(), new BitSet(), initial), null, null);
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
        Moment end = looked(best).now();
        return new Verdict.Impossible(
                end.explained(),
                end.value(),
                candidates(end).stream().map(known::get).toList());
    }

    /** What only looks and fits may as well come now: it changes nothing for those after it. */
    private Step looked(Step step) {
        for (boolean again = true; again; ) {
            again = false;
            for (int i : candidates(step.now())) {
                Operation operation = known.get(i);
                if (operation.onlyLooks() && operation.fits(step.now().value())) {
                    String value = step.now().value();
                    step = new Step(step.now().withKnown(i, value), operation, step);
                    again = true;
                }
            }
        }
        return step;
    }

    private void branch(Step step) {
        Moment now = step.now();
        long deadline = deadline(now);
        List<Integer> guesses = new ArrayList<>(writes);
        guesses.addAll(swaps.getOrDefault(now.value(), List.of()));
        for (int i : guesses) {
            Operation guess = unknown.get(i);
            if (guess.invoked() <= deadline && !now.guessed().get(i)) {
                visit(new Step(now.withGuessed(i, guess.after(now.value())), guess, step));
            }
        }
        // Pushed last and so tried first: an operation that is known to have happened.
        for (int i : candidates(now)) {
            Operation operation = known.get(i);
            if (!operation.onlyLooks() && operation.fits(now.value())) {
                visit(new Step(now.withKnown(i, operation.after(now.value())), operation, step));
            }
        }
    }

    private void visit(Step step) {
        if (visited.add(step.now())) {
            open.push(step);
        }
    }

    /** Operations of known outcome that may come next: none left out had returned before. */
    private List<Integer> candidates(Moment now) {
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

    private long deadline(Moment now) {
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
