package io.knabla.bench.generation;

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
    private static final int TRIES = 5;
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
        double alone = decoding(1, FEW, TOKENS);
        double together = decoding(TextUnit.SEQUENCES, FEW, TOKENS);
        double perSequence = Math.max(0, (together - alone) / (TextUnit.SEQUENCES - 1));
        double context = (decoding(SOME, LONG, MANY_TOKENS) - decoding(SOME, FEW, TOKENS)) / SOME / (LONG - FEW);
        return new StepCosts(
                MICROS * Math.max(1, alone - perSequence),
                MICROS * perToken,
                MICROS * perSequence,
                MICROS * Math.max(0, context));
    }

    /** Shortest time to the first token, in nanoseconds. */
    private double reading(int prompt) throws IOException {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < TRIES; i++) {
            least = Math.min(least, caller.times(prompt(prompt), 1).toFirst());
        }
        return least;
    }

    /** Mean time of a run in which so many texts get a token, in nanoseconds. */
    private double decoding(int texts, int prompt, int tokens) throws InterruptedException, ExecutionException {
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
            // While all of them decode: none still reads its prompt, and none has ended.
            long from =
                    times.stream().mapToLong(it -> it.tokens().getFirst()).max().orElseThrow();
            long until =
                    times.stream().mapToLong(it -> it.tokens().getLast()).min().orElseThrow();
            return times.getFirst().gapsWithin(from, until).average().orElseThrow();
        }
    }

    /** Random, so that the replica has read none that begins alike. */
    private int[] prompt(int length) {
        return RandomLlama.words(length, random);
    }
}
