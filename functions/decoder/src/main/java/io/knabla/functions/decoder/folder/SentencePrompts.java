package io.knabla.functions.decoder.folder;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.pattern.TooMuchWorkException;
import io.knabla.functions.tokenizer.text.Surrogates;
import io.knabla.functions.unit.encoder.Prompts;
import io.knabla.functions.unit.encoder.Prompts.Prompt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the prompts of config_sentence_transformers.json. What is wrong with them is told in {@code faults}.
 *
 * @param most tokens of a text
 */
record SentencePrompts(Path folder, Optional<Tokenizer> tokenizer, int most, List<Fault> faults) {
    static final String FILE = "config_sentence_transformers.json";

    private static final String DEFAULT = "default_prompt_name";

    /** @param pooled whether the tokens of prompts count for a text's vector */
    Prompts read(boolean pooled) {
        var json = new FolderJson(folder, FILE, faults);
        JsonNode texts = json.tree().path("prompts");
        if (texts.size() > Prompts.MOST) {
            fault("has %d prompts; at most %d are allowed", texts.size(), Prompts.MOST);
            return Prompts.NONE;
        }
        List<Prompt> prompts = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : texts.properties()) {
            prompts.add(prompt(Surrogates.repair(entry.getKey()), entry.getValue(), pooled));
        }
        String byDefault = json.object().text(DEFAULT, "");
        List<String> names = prompts.stream().map(Prompt::name).toList();
        if (byDefault.isEmpty() || names.contains(byDefault)) {
            return new Prompts(prompts, Optional.of(byDefault).filter(names::contains));
        }
        fault("has the %s '%s', which is none of the prompts %s", DEFAULT, byDefault, names);
        return Prompts.NONE;
    }

    /** Null stands for an empty one. */
    private Prompt prompt(String name, JsonNode text, boolean pooled) {
        if (!text.isTextual() && !text.isNull()) {
            fault("has a prompt '%s' that is no text", name);
        }
        String prompt = Surrogates.repair(text.asText(""));
        int tokens = prompt.isEmpty() ? 0 : tokens(name, prompt);
        if (tokens >= most) {
            fault("has a prompt '%s' of %d tokens, but a text has %d at most; shorten it", name, tokens, most);
        }
        return new Prompt(name, prompt, pooled ? 0 : tokens);
    }

    /** As sentence-transformers counts them: without the special token at the end. */
    private int tokens(String name, String prompt) {
        try {
            int[] ids = tokenizer.map(it -> it.encode(prompt, true).ids()).orElse(new int[0]);
            boolean ended = ids.length > 0 && tokenizer.get().isSpecial(ids[ids.length - 1]);
            return ended ? ids.length - 1 : ids.length;
        } catch (TooMuchWorkException hostile) {
            fault("has a prompt '%s' that cannot be split into tokens in a reasonable time; change it", name);
            return 0;
        }
    }

    private void fault(String message, Object... values) {
        faults.add(new Fault(FILE, message.formatted(values)));
    }
}
