package io.knabla.runtime.generation.sample;

import io.knabla.runtime.generation.Sampling.Penalties;
import java.util.HashMap;
import java.util.Map;

/** Lowers the logits of tokens that a prompt or its text has. */
final class TokenPenalties {
    private final Penalties penalties;

    /** How often the text has each token; 0 for those that only the prompt has. */
    private final Map<Integer, Integer> counts = new HashMap<>();

    TokenPenalties(Penalties penalties, int[] prompt) {
        this.penalties = penalties;
        if (penalties.repetition() != Penalties.NONE.repetition()) {
            for (int token : prompt) {
                counts.put(token, 0);
            }
        }
    }

    /** Counts a token of the text. */
    void add(int token) {
        if (!penalties.equals(Penalties.NONE)) {
            counts.merge(token, 1, Integer::sum);
        }
    }

    /** Whether there was one to lower. */
    boolean apply(float[] logits) {
        for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
            int token = entry.getKey();
            logits[token] = (float) lowered(logits[token], entry.getValue());
        }
        return !counts.isEmpty();
    }

    private double lowered(double logit, int count) {
        double repeated = logit > 0 ? logit / penalties.repetition() : logit * penalties.repetition();
        double present = count > 0 ? penalties.presence() : 0;
        return repeated - present - count * penalties.frequency();
    }
}
