package io.knabla.runtime.generation.grammar;

import io.knabla.runtime.generation.grammar.Grammars.Opened;
import java.util.Arrays;
import java.util.Random;

/**
 * Measures what a grammar adds to each token, with invented vocabularies of real sizes; to be run by hand, with their
 * sizes as arguments.
 */
public final class MaskBench {
    private static final int TOKENS = 4000;
    private static final String SCHEMA = """
            {"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0,"maximum":150},
            "mail":{"type":"string","maxLength":200},"tags":{"type":"array","items":{"type":"string"}},
            "kind":{"enum":["red","green","blue"]},"address":{"type":"object","properties":{"street":{"type":"string"},
            "zip":{"type":"string","pattern":"^[0-9]{5}$"}},"required":["street","zip"]},"score":{"type":"number"}},
            "required":["name","age","mail","tags","kind","address","score"]}""";

    private final TokenVocabulary vocabulary;
    private final int size;

    private MaskBench(int size) {
        this.size = size;
        long start = System.nanoTime();
        vocabulary = TestVocabularies.large(size);
        System.out.printf(
                "%d tokens, %d nodes, made in %d ms%n", size, vocabulary.tree().nodes(), micros(start) / 1000);
    }

    public static void main(String[] sizes) {
        for (String size : sizes) {
            var bench = new MaskBench(Integer.parseInt(size));
            for (int seed = 0; seed < 4; seed++) {
                bench.run(seed, "{}");
                bench.run(seed, SCHEMA);
            }
        }
    }

    private static long micros(long start) {
        return (System.nanoTime() - start) / 1000;
    }

    private void run(int seed, String schema) {
        long start = System.nanoTime();
        var opened = (Opened.Usable) RandomTexts.open(vocabulary, schema);
        long compiled = micros(start);
        long[] times = times(opened.grammar(), new Random(seed));
        long[] first = Arrays.copyOf(times, 200);
        Arrays.sort(times);
        System.out.printf(
                "%.6s: compiled in %d us; first 200 tokens: mean %.0f us; all: mean %.0f, median %d, p99 %d, longest %d us%n",
                schema,
                compiled,
                mean(first),
                mean(times),
                times[TOKENS / 2],
                times[TOKENS * 99 / 100],
                times[TOKENS - 1]);
    }

    private static double mean(long[] times) {
        return Arrays.stream(times).average().orElseThrow();
    }

    private long[] times(TokenGrammar grammar, Random random) {
        long[] times = new long[TOKENS];
        float[] logits = new float[size];
        GrammarText text = grammar.text();
        for (int i = 0; i < TOKENS; i++) {
            Arrays.fill(logits, 0);
            long start = System.nanoTime();
            text.mask(logits);
            times[i] = micros(start);
            int token = allowed(logits, random.nextInt(size));
            start = System.nanoTime();
            text.add(token);
            times[i] += micros(start);
            if (token == TestVocabularies.END || text.isAtItsEnd()) {
                text = grammar.text();
            }
        }
        return times;
    }

    private static int allowed(float[] logits, int from) {
        int token = from;
        while (logits[token] != 0) {
            token = (token + 1) % logits.length;
        }
        return token;
    }
}
