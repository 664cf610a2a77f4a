package io.knabla.controller.simulate.generation;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A linear model of what the engine's runs cost, in microseconds. As in a replica, each part of a prompt is one run,
 * and all that decode are one more.
 *
 * @param run of any run, mostly to read the weights
 * @param promptToken for each token of a prompt that the run reads
 * @param sequence for each sequence that gets its next token
 * @param contextToken for each token whose keys and values the run reads
 */
public record StepCosts(double run, double promptToken, double sequence, double contextToken) {
    /** Assumed of a model of 8 billion weights of 16 bits, with grouped queries, on one large GPU; not measured. */
    public static final StepCosts LARGE_GPU = new StepCosts(8000, 40, 50, 0.07);

    private static final double NANOS = 1000;

    public StepCosts {
        if (!(run > 0 && promptToken > 0 && sequence >= 0 && contextToken >= 0)
                || !Double.isFinite(run + promptToken + sequence + contextToken)) {
            throw new IllegalArgumentException(
                    "a run and a prompt token cost more than 0 microseconds, a sequence and a token of context 0 or more");
        }
    }

    /** Four numbers in the order of this record; empty if they are not, or are out of bounds. */
    public static Optional<StepCosts> parse(List<String> numbers) {
        try {
            double[] values = numbers.stream().mapToDouble(Double::parseDouble).toArray();
            return values.length == 4
                    ? Optional.of(new StepCosts(values[0], values[1], values[2], values[3]))
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** Nanoseconds of a run that reads a part of a prompt, of which so many tokens were read before. */
    long read(int tokens, int before) {
        return Math.round(NANOS * (run + promptToken * tokens + contextToken * before));
    }

    /** Nanoseconds of a run in which sequences with so many tokens together get their next one. */
    long decode(int sequences, long context) {
        return Math.round(NANOS * (run + sequence * sequences + contextToken * context));
    }

    @Override
    public String toString() {
        return String.join(
                ",",
                Arrays.stream(new double[] {run, promptToken, sequence, contextToken})
                        .mapToObj(value -> "%s".formatted(value))
                        .toList());
    }
}
