package io.knabla.functions.unit.encoder;

import io.knabla.functions.unit.Checks;
import java.util.List;
import java.util.Optional;

/**
 * Texts that a model was trained to read before others, such as {@code "query: "}.
 *
 * @param all each name once
 * @param byDefault name of the one for requests that name none
 */
public record Prompts(List<Prompt> all, Optional<String> byDefault) {
    public static final Prompts NONE = new Prompts(List.of(), Optional.empty());

    /** Most of one model. */
    public static final int MOST = 256;

    /**
     * One of them.
     *
     * @param leftOut tokens at the begin of a text with it that do not count for the text's vector: 0, or those of the
     *     prompt and of what the tokenizer puts before it
     */
    public record Prompt(String name, String text, int leftOut) {
        public Prompt {
            Checks.that(leftOut >= 0, "leftOut is %d, must be 0 or more", leftOut);
        }
    }

    public Prompts {
        all = List.copyOf(all);
        Checks.that(all.size() <= MOST, "there are %d prompts; at most %d are allowed", all.size(), MOST);
        List<String> names = all.stream().map(Prompt::name).toList();
        Checks.that(names.stream().distinct().count() == names.size(), "prompts %s have a name twice", names);
        byDefault.ifPresent(name ->
                Checks.that(names.contains(name), "default prompt '%s' is none of the prompts %s", name, names));
    }

    public Optional<Prompt> named(String name) {
        return all.stream().filter(prompt -> prompt.name().equals(name)).findFirst();
    }

    /** Whether tokens of some prompt do not count for a text's vector. */
    public boolean areLeftOut() {
        return all.stream().anyMatch(prompt -> prompt.leftOut() > 0);
    }
}
