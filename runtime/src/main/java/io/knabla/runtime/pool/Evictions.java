package io.knabla.runtime.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Decides which processes of a pool end: a pure decision. */
final class Evictions {
    private Evictions() {}

    /**
     * Process of one function.
     *
     * @param bytes of memory that it takes
     * @param limit of these bytes
     * @param idleMillis since its last request
     * @param keepMillis that it may be idle
     */
    record State(String function, long bytes, long limit, int inFlight, long idleMillis, long keepMillis) {}

    record Ending(String function, Reason reason) {}

    enum Reason {
        /** Ends even while it answers: its neighbours must not suffer for it. */
        OVER_ITS_LIMIT("it took more memory than its function declares"),
        IDLE("nothing called it"),
        MEMORY_NEEDED("another function needed the memory, and it was used least recently");

        final String sentence;

        Reason(String sentence) {
            this.sentence = sentence;
        }
    }

    /**
     * @param budget bytes of all processes together
     * @param wanted bytes for a process that is to start; 0 for none
     */
    static List<Ending> decide(List<State> all, long budget, long wanted) {
        List<Ending> endings = new ArrayList<>();
        List<State> left = new ArrayList<>();
        for (State state : all) {
            if (state.bytes > state.limit) {
                endings.add(new Ending(state.function, Reason.OVER_ITS_LIMIT));
            } else if (state.inFlight == 0 && state.idleMillis >= state.keepMillis) {
                endings.add(new Ending(state.function, Reason.IDLE));
            } else {
                left.add(state);
            }
        }
        long over = left.stream().mapToLong(State::bytes).sum() + wanted - budget;
        List<State> byUse = left.stream()
                .filter(state -> state.inFlight == 0)
                .sorted(Comparator.comparingLong(State::idleMillis).reversed())
                .toList();
        for (State state : byUse) {
            if (over <= 0) {
                break;
            }
            endings.add(new Ending(state.function, Reason.MEMORY_NEEDED));
            over -= state.bytes;
        }
        return endings;
    }

    /** Whether a process of this size fits once these have ended. */
    static boolean fits(List<State> all, List<Ending> endings, long budget, long wanted) {
        List<String> ended = endings.stream().map(Ending::function).toList();
        long left = all.stream()
                .filter(state -> !ended.contains(state.function))
                .mapToLong(State::bytes)
                .sum();
        return left + wanted <= budget;
    }
}
