package io.knabla.bench.generation;

import io.knabla.bench.statistics.Samples;
import io.knabla.controller.simulate.generation.StepCosts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Measures what the runs of a replica's engine cost, from outside, as {@link StepCosts} has it. */
final class StepCalibration {
    private static final int FEW = 32;
    private static final int MANY = 480;
    private static final int LONG = 800;
    private static final int TOKENS = 48;

    /** While the prompts are read in parts, those that were read first generate. */
    private static final int MANY_TOKENS = 400;

    private static final int SOME = 8;
    private static final int TRIES = 9;
    private static final double MICROS = 1e-3;

    private final TextCaller caller;
    private final SplittableRandom random;

    StepCalibration(TextCaller caller, SplittableRandom random) {
        this.caller = caller;
        this.random = random;
    }

    /** Of prompts that are read in one run each, and of texts that are generated alone and together. */
    StepCosts measure() throws Exception {
        double perToken = (reading(MANY) - reading(FEW)) / (MANY - FEW);
        Decoding alone = decoding(1, FEW, TOKENS);
        Decoding together = decoding(TextUnit.SEQUENCES, FEW, TOKENS);
        Decoding few = decoding(SOME, FEW, TOKENS);
        Decoding many = decoding(SOME, LONG, MANY_TOKENS);
        double context = Math.max(0, (many.nanos() - few.nanos()) / (many.context() - few.context()));
        double one = alone.nanos() - context * alone.context();
        double perSequence =
                Math.max(0, (together.nanos() - context * together.context() - one) / (TextUnit.SEQUENCES - 1));
        return new StepCosts(
                MICROS * Math.max(1, one - perSequence), MICROS * perToken, MICROS * perSequence, MICROS * context);
    }

    /** Median time to the first token, in nanoseconds: what most requests of a load wait, not the luckiest one. */
    private double reading(int prompt) throws IOException {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < TRIES; i++) {
            times.add((double) caller.times(prompt(prompt), 1).toFirst());
        }
        return Samples.of(times).median();
    }

    /**
     * Runs in which some texts get a token.
     *
     * @param nanos mean time of a run
     * @param context mean number of tokens of all these texts
     */
    private record Decoding(double nanos, double context) {
        static Decoding of(List<TokenTimes> texts, int prompt) {
            // While all of them decode: none still reads its prompt, and none has ended.
            long from =
                    texts.stream().mapToLong(it -> it.tokens().getFirst()).max().orElseThrow();
            long until =
                    texts.stream().mapToLong(it -> it.tokens().getLast()).min().orElseThrow();
            return new Decoding(
                    texts.getFirst().gapsWithin(from, until).average().orElseThrow(),
                    texts.stream()
                            .mapToDouble(it -> prompt + (it.countUntil(from) + it.countUntil(until)) / 2.0)
                            .sum());
        }
    }

    private Decoding decoding(int texts, int prompt, int tokens) throws InterruptedException, ExecutionException {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<TokenTimes>> calls = new ArrayList<>();
            for (int i = 0; i < texts; i++) {
                int[] ids = prompt(prompt);
                calls.add(callers.submit(() -> caller.times(ids, tokens)));
            }
            List<TokenTimes> times = new ArrayList<>();
            for (Future<TokenTimes> call : calls) {
                times.add(call.get());
            }
            return Decoding.of(times, prompt);
        }
    }

    /** Random, so that the replica has read none that begins alike. */
    private int[] prompt(int length) {
        return RandomLlama.words(length, random);
    }
}
