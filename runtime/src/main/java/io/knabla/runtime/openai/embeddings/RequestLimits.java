package io.knabla.runtime.openai.embeddings;

import io.knabla.runtime.encoder.EncodedText;
import io.knabla.runtime.openai.OpenAiException;
import java.util.List;

/** Bounds of one request, which are OpenAI's. */
final class RequestLimits {
    static final int MOST_TEXTS = 2048;

    private static final long MOST_TOKENS = 300_000;

    private RequestLimits() {}

    /** @throws OpenAiException if the texts have too many tokens together */
    static List<EncodedText> checked(String field, List<EncodedText> texts) {
        long tokens = tokens(texts);
        if (tokens > MOST_TOKENS) {
            throw OpenAiException.bad(
                    field,
                    "'%s' has %d tokens in %d texts; one request may have %d: send several"
                            .formatted(field, tokens, texts.size(), MOST_TOKENS));
        }
        return texts;
    }

    static long tokens(List<EncodedText> texts) {
        return texts.stream().mapToLong(EncodedText::length).sum();
    }
}
