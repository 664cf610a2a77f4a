package io.knabla.runtime.openai;

import io.knabla.functions.chat.ChatTemplate;
import io.knabla.functions.chat.Rendered;
import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.pattern.TooMuchWorkException;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes tokens of what a request says: of a chat by the model's template, of a text as it is. Thread-safe. */
final class Prompts {
    private static final String PROMPT = "prompt";
    private static final int MOST_PROMPTS = 16;

    /** A text of fewer characters for each token of the context may fit, as far as its length tells. */
    private static final long USUAL = 8;

    /** Characters of a text that normalisation may make into one. */
    private static final int SHRINKING = 4;

    private final GenerationSettings settings;
    private final Tokenizer tokenizer;
    private final Optional<ChatTemplate> template;

    Prompts(GenerationSettings settings, Tokenizer tokenizer, Optional<ChatTemplate> template) {
        this.settings = settings;
        this.tokenizer = tokenizer;
        this.template = template;
    }

    /** No text that is longer fits into the context: encoding it would only cost time. */
    private int mostCharacters() {
        int longest = 1;
        for (int id = 0; id < tokenizer.size(); id++) {
            String token = tokenizer.token(id);
            longest = Math.max(longest, token == null ? 0 : token.length());
        }
        long most = (long) longest * SHRINKING * settings.limits().contextLength();
        return (int) Math.min(most, Integer.MAX_VALUE);
    }

    /** Tokens of a chat; the template writes special tokens itself. */
    int[] ofChat(RequestFields fields) {
        List<Map<String, Object>> messages = Messages.read(fields);
        Map<String, Object> variables = variables(fields);
        fields.end();
        ChatTemplate known = template.orElseThrow(() -> new RefusedException(ApiError.invalid(
                null,
                "this model has no chat template; call /v1/completions, or deploy it with a chat_template.jinja")));
        return switch (known.render(messages, variables)) {
            case Rendered.Text(var text) -> tokens(text, false);
            case Rendered.Refused(var sentence) ->
                throw new RefusedException(ApiError.invalid("messages", "the chat template refuses this: " + sentence));
        };
    }

    private Map<String, Object> variables(RequestFields fields) {
        Map<String, Object> variables = new HashMap<>(settings.specialTokens());
        variables.put("add_generation_prompt", true);
        fields.find("chat_template_kwargs").ifPresent(given -> {
            if (given instanceof Json.Fields(var byName)) {
                byName.forEach((name, value) -> scalar(value).ifPresent(known -> variables.put(name, known)));
            } else {
                fields.fault("chat_template_kwargs", "must be an object");
            }
        });
        return variables;
    }

    private static Optional<Object> scalar(Json value) {
        return switch (value) {
            case Json.Text(var text) -> Optional.of(text);
            case Json.Numbers one
            when one.shape().isEmpty() ->
                // Templates compare switches with true and false; the reader knows only their numbers.
                Optional.of(one.all().real(one.from()) != 0);
            case Json.Numbers _, Json.Fields _, Json.Items _, Json.Null _ -> Optional.empty();
        };
    }

    /** Tokens of each prompt: of a text, of each of several texts, or of token ids. */
    List<int[]> ofCompletion(RequestFields fields) {
        Json given = fields.find(PROMPT).orElse(null);
        if (given == null) {
            fields.fault(PROMPT, "is missing; send a text, a list of texts, or a list of token ids");
        }
        fields.end();
        return switch (given) {
            case Json.Text(var text) -> List.of(tokens(text, true));
            case Json.Items(var items)
            when items.size() <= MOST_PROMPTS && items.stream().allMatch(Json.Text.class::isInstance) ->
                items.stream()
                        .map(Json.Text.class::cast)
                        .map(item -> tokens(item.text(), true))
                        .toList();
            case Json.Numbers ids when ids.shape().size() == 1 && ids.count() > 0 -> List.of(ids(ids));
            case Json.Items _, Json.Numbers _, Json.Fields _, Json.Null _ ->
                throw new RefusedException(ApiError.invalid(
                        PROMPT,
                        "must be a text, a list of 1 to %d texts, or a list of token ids".formatted(MOST_PROMPTS)));
        };
    }

    private int[] ids(Json.Numbers given) {
        int most = settings.limits().contextLength();
        if (given.count() > most) {
            throw tooLong("%d tokens".formatted(given.count()));
        }
        int[] ids = new int[given.count()];
        for (int i = 0; i < ids.length; i++) {
            double id = given.all().real(given.from() + i);
            if (!(id >= 0 && id < settings.shape().vocabulary() && id == Math.rint(id))) {
                throw new RefusedException(ApiError.invalid(
                        PROMPT,
                        "has %s; a token id is 0 to %d"
                                .formatted(id, settings.shape().vocabulary() - 1)));
            }
            ids[i] = (int) id;
        }
        return ids;
    }

    /** @param special whether the tokenizer adds tokens such as one that begins a text */
    int[] tokens(String text, boolean special) {
        if (text.length() > USUAL * settings.limits().contextLength() && text.length() > mostCharacters()) {
            throw tooLong("%d characters".formatted(text.length()));
        }
        int[] ids = encoded(text, special);
        if (ids.length == 0) {
            throw new RefusedException(ApiError.invalid(null, "the prompt is empty; send at least one token"));
        }
        return ids;
    }

    private int[] encoded(String text, boolean special) {
        try {
            return tokenizer.encode(text, special).ids();
        } catch (TooMuchWorkException refused) {
            throw new RefusedException(ApiError.invalid(
                    null, "the model's tokenizer needs far more than linear time for this text; send another"));
        }
    }

    private RefusedException tooLong(String size) {
        return new RefusedException(ApiError.tooLong("the prompt has %s, but a context has %d tokens; send less"
                .formatted(size, settings.limits().contextLength())));
    }
}
