package io.knabla.functions.tokenizer.text;

import io.knabla.functions.tokenizer.spec.AddedToken;
import io.knabla.functions.tokenizer.spec.Normalizer;
import io.knabla.functions.tokenizer.spec.PreTokenizer;
import io.knabla.functions.tokenizer.spec.TokenizerSpec;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/** Takes added tokens out of a text, normalizes the rest and splits it. Immutable, safe for use by several threads. */
public final class TextPipeline {
    private final Normalizer normalizer;
    private final PreTokenizer preTokenizer;
    private final AddedTokens raw;
    private final AddedTokens normalized;

    public TextPipeline(TokenizerSpec spec) {
        normalizer = spec.normalizer();
        preTokenizer = spec.preTokenizer();
        raw = new AddedTokens(added(spec, false), UnaryOperator.identity());
        normalized = new AddedTokens(added(spec, true), content -> Normalization.apply(normalizer, content));
    }

    private static List<AddedToken> added(TokenizerSpec spec, boolean normalized) {
        return spec.added().stream()
                .filter(token -> token.normalized() == normalized)
                .toList();
    }

    /**
     * Passes on the ids of added tokens and the pieces between them, in their order.
     *
     * @param text without lone surrogates
     */
    public void run(String text, IntConsumer ids, Pieces pieces) {
        Pieces splitter = TextSplitter.into(preTokenizer, pieces);
        raw.find(text, (from, to, token) -> {
            if (token != null) {
                ids.accept(token.id());
            } else {
                String part = Normalization.apply(normalizer, text.substring(from, to));
                normalized(part, from == 0, ids, splitter);
            }
        });
    }

    private void normalized(String text, boolean first, IntConsumer ids, Pieces splitter) {
        normalized.find(text, (from, to, token) -> {
            if (token != null) {
                ids.accept(token.id());
            } else {
                splitter.piece(text, from, to, first && from == 0);
            }
        });
    }
}
