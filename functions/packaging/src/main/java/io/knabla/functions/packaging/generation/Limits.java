package io.knabla.functions.packaging.generation;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.spec.Generation;
import io.knabla.functions.spec.Quantities;
import io.knabla.functions.unit.generation.CacheType;
import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.functions.unit.generation.GenerationLimits;
import io.knabla.functions.unit.generation.LatencyObjectives;
import io.knabla.functions.unit.generation.Speculation;
import java.util.List;
import java.util.Optional;

/** Chooses context and memory of a function from what its file asks for and what the model can. */
final class Limits {
    /** Memory for keys and values where function.yaml names none, if one whole context fits. */
    private static final long USUAL_BYTES = 1L << 30;

    private static final int LEAST_CONTEXT = 2;

    private final Generation wanted;
    private final DecoderConfig model;
    private final List<Fault> faults;

    Limits(Generation wanted, DecoderConfig model, List<Fault> faults) {
        this.wanted = wanted;
        this.model = model;
        this.faults = faults;
    }

    GenerationLimits choose() {
        int context = context();
        return new GenerationLimits(
                context,
                wanted.maxSequences(),
                keyValueBytes(context),
                wanted.queue().max(),
                wanted.queue().maxWait().toMillis());
    }

    CacheType cache() {
        return switch (wanted.kvCache().type()) {
            case Float32 -> CacheType.FLOAT32;
            case Int8 -> CacheType.INT8;
        };
    }

    private long bytesPerToken() {
        return model.keyValueNumbers() * cache().bytes();
    }

    LatencyObjectives objectives() {
        return new LatencyObjectives(
                wanted.objectives().timeToFirstToken(), wanted.objectives().timePerOutputToken());
    }

    /** @param draft shape of the model that drafts; empty unless there is one without faults */
    Speculation speculation(Optional<DecoderShape> draft) {
        return switch (wanted.speculation().type()) {
            case None -> new Speculation.None();
            case PromptLookup -> new Speculation.PromptLookup(draftTokens());
            case Draft ->
                draft.<Speculation>map(shape -> new Speculation.Draft(draftTokens(), shape))
                        .orElseGet(Speculation.None::new);
        };
    }

    private int draftTokens() {
        return wanted.speculation().maxTokens().orElse(Generation.Speculation.USUAL_TOKENS);
    }

    /** Whether function.yaml named no context and the model's own would take more memory than is usual. */
    boolean isShortened(int context) {
        return wanted.contextLength().isEmpty() && context < model.contextLength();
    }

    /** A sentence if function.yaml names memory in which not a single block of a prompt is kept. */
    Optional<String> prefixWarning(int context) {
        long least = GenerationLimits.leastBytesWithPrefixes(context, bytesPerToken());
        return wanted.kvCache()
                .maxBytes()
                .filter(given -> given < least)
                .map(given ->
                        "spec.generation.kvCache.maxBytes is %s, which keeps nothing of a prompt beside one context of %d tokens: no prompt is read for another function, or by one (generation.prefill). To keep beginnings of prompts, write %s or more."
                                .formatted(Quantities.formatBytes(given), context, mebibytes(least)));
    }

    private static String mebibytes(long bytes) {
        return Quantities.formatBytes(Math.ceilDiv(bytes, 1L << 20) << 20);
    }

    private int context() {
        int most = model.contextLength();
        if (wanted.contextLength().isEmpty()) {
            long usual = USUAL_BYTES / bytesPerToken();
            return Math.clamp(usual, Math.min(LEAST_CONTEXT, most), most);
        }
        int asked = wanted.contextLength().get();
        if (asked > most) {
            faults.add(new Fault(
                    "spec.generation.contextLength",
                    "found %d, but the model was made for %d tokens (max_position_embeddings, or n_positions, of config.json); write that or less"
                            .formatted(asked, most)));
        }
        return Math.min(asked, most);
    }

    private long keyValueBytes(int context) {
        long one = bytesPerToken() * GenerationLimits.charged(context);
        if (wanted.kvCache().maxBytes().isEmpty()) {
            // Beside a context, a third more for the beginnings of prompts, which are a quarter of it all.
            return Math.max(one + one / 3, Math.min(USUAL_BYTES, one * wanted.maxSequences()));
        }
        long given = wanted.kvCache().maxBytes().get();
        if (given < one) {
            faults.add(new Fault(
                    "spec.generation.kvCache.maxBytes",
                    "found %s, but the keys and values of one context of %d tokens take %d bytes; write %s or more, or a smaller contextLength"
                            .formatted(Quantities.formatBytes(given), context, one, mebibytes(one))));
        }
        return given;
    }
}
