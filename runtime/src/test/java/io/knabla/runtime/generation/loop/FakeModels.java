package io.knabla.runtime.generation.loop;

import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** Functions from the tokens of a sequence to logits. */
final class FakeModels {
    private FakeModels() {}

    /** Continues every prompt of one token with these tokens, then ends. */
    static Function<List<Integer>, float[]> saying(int... tokens) {
        return sequence -> {
            int at = sequence.size() - 1;
            return only(at < tokens.length ? tokens[at] : TestTokenizer.END);
        };
    }

    /** Logits that differ after each sequence of tokens. */
    static float[] mixed(List<Integer> sequence) {
        var random = new Random(sequence.hashCode());
        float[] logits = new float[TestTokenizer.SIZE];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = (float) random.nextGaussian() * 2;
        }
        return logits;
    }

    static float[] only(int token) {
        float[] logits = new float[TestTokenizer.SIZE];
        logits[token] = 20;
        return logits;
    }
}
