package io.knabla.bench.generation;

import io.knabla.controller.simulate.generation.Objectives;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Times at which the tokens of one text came to its caller.
 *
 * @param sent when its prompt was sent, in nanoseconds of this process
 * @param tokens when each came, one at least
 */
record TokenTimes(long sent, List<Long> tokens) {
    TokenTimes {
        tokens = List.copyOf(tokens);
    }

    long toFirst() {
        return tokens.getFirst() - sent;
    }

    /** Mean time between two tokens, in nanoseconds; 0 of a single one. */
    double perToken() {
        return tokens.size() == 1 ? 0 : (double) (tokens.getLast() - tokens.getFirst()) / (tokens.size() - 1);
    }

    boolean keeps(Objectives objectives) {
        return toFirst() <= objectives.ttft().toNanos()
                && perToken() <= objectives.tpot().toNanos();
    }

    /** Times between two tokens of which the second came within a period, in nanoseconds. */
    LongStream gapsWithin(long from, long until) {
        return IntStream.range(1, tokens.size())
                .filter(at -> tokens.get(at) > from && tokens.get(at) <= until)
                .mapToLong(at -> tokens.get(at) - tokens.get(at - 1));
    }

    /** Tokens that were there at a time. */
    long countUntil(long time) {
        return tokens.stream().filter(token -> token <= time).count();
    }
}
