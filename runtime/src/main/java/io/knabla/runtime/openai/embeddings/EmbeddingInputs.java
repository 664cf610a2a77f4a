package io.knabla.runtime.openai.embeddings;

import io.knabla.functions.unit.encoder.Prompts.Prompt;
import io.knabla.runtime.encoder.EncodedText;
import io.knabla.runtime.json.Json;
import io.knabla.runtime.openai.OpenAiException;
import io.knabla.runtime.openai.RequestFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the texts of a request for embeddings: one or several, as strings or as lists of the ids of tokens. */
final class EmbeddingInputs {
    private static final String INPUT = "input";

    private final TextTokens tokens;
    private final Optional<Prompt> prompt;
    private final int vocabulary;

    /** @param prompt before each string; ids of tokens are taken as they are */
    EmbeddingInputs(TextTokens tokens, Optional<Prompt> prompt, int vocabulary) {
        this.tokens = tokens;
        this.prompt = prompt;
        this.vocabulary = vocabulary;
    }

    /** Reports an input of another form; to be called before {@link #encode}. */
    static void check(RequestFields fields) {
        boolean known = switch (fields.value(INPUT).orElse(null)) {
            case null -> false;
            case Json.Text _ -> true;
            case Json.Numbers numbers -> isLists(numbers);
            case Json.Items(List<Json> items) -> items.stream().allMatch(EmbeddingInputs::isText);
            case Json.Fields _, Json.Null _ -> false;
        };
        if (!known) {
            fields.fault(
                    INPUT,
                    "'input' must be a string, a list of strings, a list of ids of tokens, or a list of such lists, and not empty");
        }
        int count = fields.value(INPUT).map(EmbeddingInputs::count).orElse(1);
        if (known && count > RequestLimits.MOST_TEXTS) {
            fields.fault(INPUT, "'input' has %d texts; at most %d are allowed", count, RequestLimits.MOST_TEXTS);
        }
    }

    /** Whether some input is a list of ids. */
    static boolean hasIds(RequestFields fields) {
        return switch (fields.value(INPUT).orElse(null)) {
            case Json.Numbers _ -> true;
            case Json.Items(List<Json> items) -> items.stream().anyMatch(Json.Numbers.class::isInstance);
            case null -> false;
            case Json.Text _, Json.Fields _, Json.Null _ -> false;
        };
    }

    private static boolean isLists(Json.Numbers numbers) {
        int dimensions = numbers.shape().size();
        return numbers.count() > 0 && (dimensions == 1 || dimensions == 2);
    }

    private static boolean isText(Json item) {
        return item instanceof Json.Text
                || item instanceof Json.Numbers numbers && numbers.shape().size() == 1;
    }

    private static int count(Json input) {
        return switch (input) {
            case Json.Items(List<Json> items) -> items.size();
            case Json.Numbers numbers
            when numbers.shape().size() == 2 -> numbers.shape().getFirst();
            default -> 1;
        };
    }

    /** The tokens of each text. */
    List<EncodedText> encode(RequestFields fields) {
        Json input = fields.value(INPUT).orElseThrow();
        List<EncodedText> texts = new ArrayList<>();
        switch (input) {
            case Json.Items(List<Json> items) -> items.forEach(item -> texts.add(one(place(texts.size()), item)));
            case Json.Numbers numbers
            when numbers.shape().size() == 2 -> {
                int length = numbers.shape().getLast();
                for (int from = 0; from < numbers.count(); from += length) {
                    texts.add(ids(place(texts.size()), numbers, from, length));
                }
            }
            default -> texts.add(one(INPUT, input));
        }
        return RequestLimits.checked(INPUT, texts);
    }

    private static String place(int index) {
        return "%s[%d]".formatted(INPUT, index);
    }

    private EncodedText one(String place, Json input) {
        return input instanceof Json.Numbers numbers
                ? ids(place, numbers, 0, numbers.count())
                : tokens.of(place, prompt, ((Json.Text) input).text());
    }

    private EncodedText ids(String place, Json.Numbers numbers, int from, int count) {
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
            double id = numbers.all().real(numbers.from() + from + i);
            if (id != Math.rint(id) || !(id >= 0 && id < vocabulary)) {
                throw OpenAiException.bad(
                        INPUT,
                        "'%s' has %s at %d; the id of a token is 0 to %d"
                                .formatted(place, RequestFields.plain(id), i, vocabulary - 1));
            }
            ids[i] = (int) id;
        }
        return tokens.ofIds(place, ids);
    }
}
