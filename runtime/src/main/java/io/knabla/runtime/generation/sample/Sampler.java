package io.knabla.runtime.generation.sample;

import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GeneratedToken.TokenLogprob;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.grammar.GrammarText;
import io.knabla.runtime.generation.grammar.TokenGrammar;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses the tokens of one text. The choice depends on the logits, the request and the tokens before, on nothing else.
 * For one thread.
 */
public final class Sampler {
    private final Sampling sampling;
    private final int logprobs;
    private final TokenPenalties penalties;
    private final Optional<GrammarText> grammar;
    private int position;

    public Sampler(GenerationRequest request) {
        this.sampling = request.sampling();
        this.logprobs = request.logprobs();
        this.penalties = new TokenPenalties(sampling.penalties(), request.prompt());
        this.grammar = request.grammar().map(TokenGrammar::text);
    }

    /**
     * @param logits of all tokens; changed by this method
     * @param candidates overwritten; may serve all samplers of a thread
     */
    public Choice choose(float[] logits, Candidates candidates) {
        int likeliest = greatest(logits);
        if (likeliest < 0 || !Float.isFinite(logits[likeliest])) {
            return new Choice.NotFinite();
        }
        Logprobs raw = logprobs >= 0 ? new Logprobs(logits.clone(), logits[likeliest]) : null;
        int best = change(logits) ? greatest(logits) : likeliest;
        if (!Float.isFinite(logits[best])) {
            return new Choice.NotFinite();
        }
        int id = sampling.temperature() > 0 ? drawn(logits, logits[best], candidates) : best;
        penalties.add(id);
        grammar.ifPresent(text -> text.add(id));
        position++;
        return new Choice.Chosen(token(id, raw));
    }

    /** Whether the text's grammar allows nothing but its end. */
    public boolean isAtItsEnd() {
        return grammar.filter(GrammarText::isAtItsEnd).isPresent();
    }

    /** Whether a logit can be another one now. */
    private boolean change(float[] logits) {
        boolean penalized = penalties.apply(logits);
        for (Map.Entry<Integer, Float> bias : sampling.logitBias().entrySet()) {
            logits[bias.getKey()] += bias.getValue();
        }
        // Last, so that nothing brings an excluded token back.
        grammar.ifPresent(text -> text.mask(logits));
        return penalized || !sampling.logitBias().isEmpty() || grammar.isPresent();
    }

    private int drawn(float[] logits, float greatest, Candidates candidates) {
        if (sampling.topK() > 0) {
            candidates.fillGreatest(sampling.topK(), logits, greatest, sampling.temperature());
        } else {
            candidates.fill(logits, greatest, sampling.temperature());
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

    /** The first of the greatest; -1 if one is no number. */
    private static int greatest(float[] logits) {
        int best = 0;
        float most = Float.NEGATIVE_INFINITY;
        for (int id = 0; id < logits.length; id++) {
            float logit = logits[id];
            // Seldom true, also for NaN: a vocabulary is read as fast as memory allows.
            if (!(logit <= most)) {
                if (Float.isNaN(logit)) {
                    return -1;
                }
                most = logit;
                best = id;
            }
        }
        return best;
    }
}
