package io.knabla.runtime.generation.sample;

import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GeneratedToken.TokenLogprob;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import java.util.List;
import java.util.Map;

/**
 * Chooses the tokens of one text. The choice depends on the logits, the request and the tokens before, on nothing else.
 * For one thread.
 */
public final class Sampler {
    private final Sampling sampling;
    private final int logprobs;
    private final TokenPenalties penalties;
    private int position;

    public Sampler(GenerationRequest request) {
        this.sampling = request.sampling();
        this.logprobs = request.logprobs();
        this.penalties = new TokenPenalties(sampling.penalties(), request.prompt());
    }

    /** @param logits of all tokens; changed by this method */
    public Choice choose(float[] logits) {
        float greatest = logits[greatest(logits)];
        if (!allNumbers(logits) || !Float.isFinite(greatest)) {
            return new Choice.NotFinite();
        }
        Logprobs raw = logprobs >= 0 ? new Logprobs(logits.clone(), greatest) : null;
        change(logits);
        int best = greatest(logits);
        if (!Float.isFinite(logits[best])) {
            return new Choice.NotFinite();
        }
        int id = sampling.temperature() == 0 ? best : drawn(logits, logits[best]);
        penalties.add(id);
        position++;
        return new Choice.Chosen(token(id, raw));
    }

    private void change(float[] logits) {
        penalties.apply(logits);
        for (Map.Entry<Integer, Float> bias : sampling.logitBias().entrySet()) {
            logits[bias.getKey()] += bias.getValue();
        }
    }

    private int drawn(float[] logits, float greatest) {
        Candidates candidates = Candidates.of(logits, greatest, sampling.temperature());
        if (sampling.topK() > 0) {
            candidates.keepGreatest(sampling.topK());
        }
        candidates.keepShare(sampling.topP());
        candidates.keepAtLeast(sampling.minP());
        return candidates.at(PositionRandom.uniform(sampling.seed(), position));
    }

    private GeneratedToken token(int id, Logprobs raw) {
        return raw == null
                ? new GeneratedToken(id, Float.NaN, List.<TokenLogprob>of())
                : new GeneratedToken(id, raw.of(id), raw.greatest(logprobs));
    }

    private static int greatest(float[] logits) {
        int best = 0;
        for (int id = 1; id < logits.length; id++) {
            best = logits[id] > logits[best] ? id : best;
        }
        return best;
    }

    private static boolean allNumbers(float[] logits) {
        boolean all = true;
        for (float logit : logits) {
            all &= logit == logit;
        }
        return all;
    }
}
