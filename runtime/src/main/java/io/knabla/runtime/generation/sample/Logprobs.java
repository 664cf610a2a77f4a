package io.knabla.runtime.generation.sample;

import io.knabla.runtime.generation.GeneratedToken.TokenLogprob;
import java.util.ArrayList;
import java.util.List;

/** Natural logarithms of the probabilities that logits stand for. */
final class Logprobs {
    private final float[] logits;
    private final double normalizer;

    /** @param greatest of the logits, finite; they must not change */
    Logprobs(float[] logits, float greatest) {
        this.logits = logits;
        double sum = 0;
        for (float logit : logits) {
            sum += Math.exp((double) logit - greatest);
        }
        normalizer = greatest + Math.log(sum);
    }

    float of(int id) {
        return (float) (logits[id] - normalizer);
    }

    /** The most probable tokens, the most probable first; of equal ones the lower id. */
    List<TokenLogprob> greatest(int count) {
        List<TokenLogprob> greatest = new ArrayList<>();
        for (int id = 0; id < logits.length; id++) {
            if (greatest.size() < count
                    || count > 0 && of(id) > greatest.getLast().logprob()) {
                insert(greatest, new TokenLogprob(id, of(id)));
                if (greatest.size() > count) {
                    greatest.removeLast();
                }
            }
        }
        return greatest;
    }

    private static void insert(List<TokenLogprob> sorted, TokenLogprob one) {
        int at = sorted.size();
        while (at > 0 && sorted.get(at - 1).logprob() < one.logprob()) {
            at--;
        }
        sorted.add(at, one);
    }
}
