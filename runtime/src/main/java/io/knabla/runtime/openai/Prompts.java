package io.knabla.runtime.openai;

import io.knabla.runtime.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the prompts of a completion: a text, several texts, or the ids of tokens. */
final class Prompts {
    private static final int MOST = 8;
    private static final String PROMPT = "prompt";

    private final RequestFields fields;
    private final PromptEncoder encoder;
    private final int vocabulary;

    Prompts(RequestFields fields, PromptEncoder encoder, int vocabulary) {
        this.fields = fields;
        this.encoder = encoder;
        this.vocabulary = vocabulary;
    }

    /** Reports a prompt of another form; to be called before {@link #encode}. */
    void check() {
        boolean known = switch (fields.value(PROMPT).orElse(null)) {
            case null -> false;
            case Json.Text _ -> true;
            case Json.Numbers numbers -> numbers.shape().size() == 1 && numbers.count() > 0;
            case Json.Items(List<Json> items) ->
                items.size() <= MOST && items.stream().allMatch(item -> item instanceof Json.Text);
            case Json.Fields _, Json.Null _ -> false;
        };
        if (!known) {
            fields.fault(PROMPT, "'prompt' must be a string, at most %d strings, or a list of ids of tokens", MOST);
        }
    }

    /** Reports a prompt that is no list of ids; to be called before {@link #encode}. */
    void checkIsTokens() {
        boolean tokens = fields.value(PROMPT)
                .map(value -> value instanceof Json.Numbers ids && ids.shape().size() == 1 && ids.count() > 0)
                .orElse(false);
        if (!tokens) {
            fields.fault(PROMPT, "'prompt' must be a list of ids of tokens");
        }
    }

    List<int[]> encode() {
        Optional<Json> prompt = fields.value(PROMPT);
        if (prompt.isPresent() && prompt.get() instanceof Json.Numbers numbers) {
            return List.of(ids(numbers));
        }
        List<int[]> all = new ArrayList<>();
        if (prompt.isPresent() && prompt.get() instanceof Json.Items(List<Json> items)) {
            items.forEach(item -> all.add(encoder.encode(PROMPT, ((Json.Text) item).text(), true)));
        } else {
            all.add(encoder.encode(PROMPT, fields.text(PROMPT).orElse(""), true));
        }
        return all;
    }

    private int[] ids(Json.Numbers numbers) {
        encoder.check(PROMPT, numbers.count());
        int[] ids = new int[numbers.count()];
        for (int i = 0; i < ids.length; i++) {
            double id = numbers.all().real(numbers.from() + i);
            if (id != Math.rint(id) || !(id >= 0 && id < vocabulary)) {
                throw OpenAiException.bad(
                        PROMPT,
                        "'prompt' has %s at %d; the id of a token is 0 to %d"
                                .formatted(RequestFields.plain(id), i, vocabulary - 1));
            }
            ids[i] = (int) id;
        }
        return ids;
    }
}
