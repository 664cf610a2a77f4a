package io.knabla.bench.generation;

import io.knabla.controller.simulate.generation.GoodputSearch;
import io.knabla.controller.simulate.generation.Objectives;
import io.knabla.controller.simulate.generation.RequestLoad;
import io.knabla.controller.simulate.generation.TextRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Finds the goodput of a running replica: the highest rate at which 90 % of the requests keep both objectives. */
record LiveGoodput(TextCaller caller, RequestLoad load, Objectives objectives, SplittableRandom random) {
    /** Between two rates that are tried. */
    private static final double STEP = 1.1;

    private static final double FARTHEST = 3;

    /**
     * Requests a second: the geometric mean of two neighbouring rates, of which the lower is good and the other not.
     *
     * @param guess where the search begins
     * @throws IllegalStateException if it is not within three times the guess
     */
    double near(double guess) throws Exception {
        boolean good = isGood(guess);
        double factor = good ? STEP : 1 / STEP;
        for (double rate = guess * factor; rate < guess * FARTHEST && rate > guess / FARTHEST; rate *= factor) {
            if (isGood(rate) != good) {
                return rate / Math.sqrt(factor);
            }
        }
        throw new IllegalStateException("the goodput is not within %s times %s/s".formatted(FARTHEST, guess));
    }

    private boolean isGood(double rate) throws Exception {
        return attained(load.at(rate)) >= GoodputSearch.ATTAINED;
    }

    private double attained(List<TextRequest> requests) throws InterruptedException, ExecutionException {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            long begin = System.nanoTime();
            List<Future<Boolean>> calls = new ArrayList<>();
            for (TextRequest request : requests) {
                int[] prompt = RandomLlama.words(request.prompt(), random);
                awaitTime(begin + Math.round(request.arrival() * 1e9));
                calls.add(callers.submit(() -> keeps(prompt, request.generated())));
            }
            int kept = 0;
            for (Future<Boolean> call : calls) {
                kept += call.get() ? 1 : 0;
            }
            return (double) kept / calls.size();
        }
    }

    /** Requests come at their times, whether earlier ones are answered or not. */
    private static void awaitTime(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            Thread.sleep(Duration.ofNanos(left));
        }
    }

    /** One that is refused keeps none. */
    private boolean keeps(int[] prompt, int tokens) {
        try {
            return caller.times(prompt, tokens).keeps(objectives);
        } catch (IOException refused) {
            return false;
        }
    }
}
