package io.knabla.runtime.openai.embeddings;

import io.knabla.functions.tokenizer.Encoding;
import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.pattern.TooMuchWorkException;
import io.knabla.functions.unit.encoder.Prompts.Prompt;
import io.knabla.runtime.encoder.EncodedText;
import io.knabla.runtime.openai.OpenAiException;
import java.util.Optional;
import java.util.function.Supplier;

/** Turns the texts of a request into tokens; one that is far too long is refused after its beginning was encoded. */
final class TextTokens {
    /** Characters for each token; few texts have longer tokens on average. */
    private static final int FIRST = 8;

    /** A cut may change some tokens before it. */
    private static final int MARGIN = 64;

    private final Tokenizer tokenizer;
    private final int most;

    /** @param most tokens of a text, those that the tokenizer adds included */
    TextTokens(Tokenizer tokenizer, int most) {
        this.tokenizer = tokenizer;
        this.most = most;
    }

    /**
     * A text behind a prompt.
     *
     * @param place of the text in the request, for a message, such as {@code input[3]}
     */
    EncodedText of(String place, Optional<Prompt> prompt, String text) {
        check(place, text);
        String whole = prompt.map(Prompt::text).orElse("") + text;
        String behind = prompt.filter(it -> !it.text().isEmpty())
                .map(it -> " behind its prompt '%s'".formatted(it.name()))
                .orElse("");
        Encoding tokens = guarded(place, () -> tokenizer.encode(whole, true));
        return new EncodedText(
                checked(place, tokens, behind), prompt.map(Prompt::leftOut).orElse(0));
    }

    /** Two texts as one, such as a question and a passage. */
    EncodedText ofPair(String place, String first, String second) {
        check("query", first);
        check(place, second);
        return new EncodedText(checked(place, guarded(place, () -> tokenizer.encode(first, second, true)), ""), 0);
    }

    /** Tokens that a client has made, those at begin and end included. */
    EncodedText ofIds(String place, int[] ids) {
        return new EncodedText(checked(place, new Encoding(ids, new int[ids.length]), ""), 0);
    }

    private void check(String place, String text) {
        if (text.isEmpty()) {
            throw OpenAiException.bad(field(place), "'%s' is an empty string; leave it out".formatted(place));
        }
        if (hasHalfCharacter(text)) {
            throw OpenAiException.bad(
                    field(place),
                    "'%s' has half of a character (a surrogate without the other one); send whole characters"
                            .formatted(place));
        }
        for (long length = (long) most * FIRST; length < text.length(); length *= 2) {
            String start = text.substring(0, (int) length);
            if (guarded(place, () -> tokenizer.encode(start, false)).ids().length > most + MARGIN) {
                throw OpenAiException.tooLong(
                        field(place),
                        "'%s' has more than %d tokens, the most that the model takes; shorten it"
                                .formatted(place, most));
            }
        }
    }

    private static boolean hasHalfCharacter(String text) {
        return text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static Encoding guarded(String place, Supplier<Encoding> encoding) {
        try {
            return encoding.get();
        } catch (TooMuchWorkException hostile) {
            throw OpenAiException.bad(
                    field(place), "'%s' cannot be split into tokens in a reasonable time; change it".formatted(place));
        }
    }

    private Encoding checked(String place, Encoding encoded, String behind) {
        int tokens = encoded.ids().length;
        if (tokens > most) {
            throw OpenAiException.tooLong(
                    field(place),
                    "'%s' has %d tokens%s; the model takes %d at most; shorten it"
                            .formatted(place, tokens, behind, most));
        }
        if (tokens == 0) {
            throw OpenAiException.bad(field(place), "'%s' has no tokens; it must have 1 or more".formatted(place));
        }
        return encoded;
    }

    private static String field(String place) {
        int bracket = place.indexOf('[');
        return bracket < 0 ? place : place.substring(0, bracket);
    }
}
