package io.knabla.bench.generation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Latencies of a replica that reads a long prompt while it generates texts, in milliseconds.
 *
 * @param firstToken from the prompt to its first token
 * @param gaps between two tokens of the other texts meanwhile
 * @param usualGap mean of these before
 */
record LongPromptLatency(double firstToken, List<Double> gaps, double usualGap) {
    /** Texts beside it. */
    static final int STREAMS = 8;

    static final int TOKENS = 2000;
    private static final int TEXT = 400;

    double longestGap() {
        return gaps.stream().mapToDouble(gap -> gap).max().orElseThrow();
    }

    /** Sends a prompt of random words to a replica whose texts have begun. */
    static LongPromptLatency measure(TextCaller caller, SplittableRandom random) throws Exception {
        var begun = new CountDownLatch(STREAMS);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<TokenTimes>> calls = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                int[] prompt = RandomLlama.words(STREAMS, random);
                calls.add(callers.submit(() -> text(caller, prompt, begun)));
            }
            begun.await();
            TokenTimes read = caller.times(RandomLlama.words(TOKENS, random), 1);
            List<Double> gaps = new ArrayList<>();
            double usual = 0;
            for (Future<TokenTimes> call : calls) {
                TokenTimes text = call.get();
                text.gapsWithin(read.sent(), read.tokens().getFirst()).forEach(gap -> gaps.add(gap / 1e6));
                usual += text.gapsWithin(text.tokens().getFirst(), read.sent())
                                .average()
                                .orElseThrow()
                        / STREAMS
                        / 1e6;
            }
            return new LongPromptLatency(read.toFirst() / 1e6, gaps, usual);
        }
    }

    /** @param begun is told of a tenth of the text, or of a refusal: nobody may wait for a text that does not come */
    private static TokenTimes text(TextCaller caller, int[] prompt, CountDownLatch begun) throws IOException {
        try {
            return caller.times(prompt, TEXT, count -> {
                if (count == TEXT / 10) {
                    begun.countDown();
                }
            });
        } catch (IOException refused) {
            begun.countDown();
            throw refused;
        }
    }
}
