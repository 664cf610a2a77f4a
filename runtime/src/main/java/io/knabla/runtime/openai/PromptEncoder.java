package io.knabla.runtime.openai;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.pattern.TooMuchWorkException;

/** Turns prompts into tokens; one that is far too long is refused after its beginning was encoded. */
final class PromptEncoder {
    /** Characters for each token of the context; few texts have longer tokens on average. */
    private static final int FIRST = 8;

    /** A cut may change some tokens before it. */
    private static final int MARGIN = 64;

    private final Tokenizer tokenizer;
    private final int most;

    /** @param most tokens of a prompt */
    PromptEncoder(Tokenizer tokenizer, int most) {
        this.tokenizer = tokenizer;
        this.most = most;
    }

    /**
     * @param param field of the text, for a message
     * @param special whether to add the tokens that the model expects at the beginning
     */
    int[] encode(String param, String text, boolean special) {
        refuseLong(param, text);
        int[] ids = ids(param, text, special);
        check(param, ids.length);
        return ids;
    }

    /** Refuses a text, part of a prompt, whose beginning alone has too many tokens. */
    void refuseLong(String param, String text) {
        for (long length = (long) most * FIRST; length < text.length(); length *= 2) {
            if (ids(param, text.substring(0, (int) length), false).length > most + MARGIN) {
                throw OpenAiException.tooLong(
                        param,
                        "the prompt has more than %d tokens, the most that the context of the model holds; shorten it"
                                .formatted(most));
            }
        }
    }

    /** @throws OpenAiException if a prompt has none or too many tokens */
    void check(String param, int tokens) {
        if (tokens > most) {
            throw OpenAiException.tooLong(
                    param,
                    "the prompt has %d tokens; the context of the model holds %d and one more to generate; shorten it"
                            .formatted(tokens, most));
        }
        if (tokens == 0) {
            throw OpenAiException.bad(param, "the prompt has no tokens; it must have 1 or more");
        }
    }

    /** The tokens of a text of any length. */
    int[] ids(String param, String text, boolean special) {
        try {
            return tokenizer.encode(text, special).ids();
        } catch (TooMuchWorkException hostile) {
            throw OpenAiException.bad(param, "the prompt cannot be split into tokens in a reasonable time; change it");
        }
    }
}
