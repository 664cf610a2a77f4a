package io.knabla.runtime.openai;

import io.knabla.runtime.json.Json;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Which fields a request may have: every other one is refused by name, so that nothing is dropped silently. */
public final class KnownFields {
    private static final String STRUCTURED = "write the form of the text as 'response_format'";
    private static final String TOOLS = "tools are not supported; leave it out";
    private static final String OTHER_MEDIA = "only text goes in and out; leave it out";

    /** Fields of OpenAI's API with an effect that is not there. */
    private static final Map<String, String> UNSUPPORTED = Map.ofEntries(
            Map.entry("tools", TOOLS),
            Map.entry("tool_choice", TOOLS),
            Map.entry("parallel_tool_calls", TOOLS),
            Map.entry("functions", TOOLS),
            Map.entry("function_call", TOOLS),
            Map.entry("modalities", OTHER_MEDIA),
            Map.entry("audio", OTHER_MEDIA),
            Map.entry("best_of", "texts are not ranked; use 'n'"),
            Map.entry("echo", "the prompt is not repeated; put it before the text yourself"),
            Map.entry("suffix", "text is not inserted; leave it out"),
            Map.entry("prediction", "predicted outputs are not supported; leave it out"),
            Map.entry("reasoning_effort", "the effort of reasoning cannot be set; leave it out"),
            Map.entry("verbosity", "the verbosity cannot be set; leave it out"),
            Map.entry("web_search_options", "there is no web search; leave it out"),
            Map.entry("structured_outputs", STRUCTURED),
            Map.entry("guided_json", STRUCTURED),
            Map.entry("guided_regex", STRUCTURED),
            Map.entry("guided_choice", STRUCTURED),
            Map.entry("guided_grammar", STRUCTURED));

    /** Labels for OpenAI's own records, which change no answer. */
    private static final Set<String> IGNORED =
            Set.of("user", "metadata", "store", "safety_identifier", "prompt_cache_key", "service_tier");

    private static final Set<String> SHARED = Set.of(
            "model",
            "stream",
            "stream_options",
            "stop",
            "max_tokens",
            "temperature",
            "top_p",
            "top_k",
            "min_p",
            "seed",
            "n",
            "logprobs",
            "logit_bias",
            "presence_penalty",
            "frequency_penalty",
            "repetition_penalty",
            "response_format");

    static final KnownFields CHAT = of("messages", "max_completion_tokens", "top_logprobs", TemplateVariables.FIELD);
    static final KnownFields COMPLETION = of("prompt");
    static final KnownFields TOKENIZE = new KnownFields(Set.of(
            "model", "prompt", "messages", "add_special_tokens", "add_generation_prompt", TemplateVariables.FIELD));

    private final Set<String> names;

    private KnownFields(Set<String> names) {
        this.names = names;
    }

    /** These alone, and labels that change no answer. */
    public static KnownFields only(String... names) {
        return new KnownFields(Set.of(names));
    }

    private static KnownFields of(String... own) {
        Set<String> names = new HashSet<>(SHARED);
        names.addAll(List.of(own));
        return new KnownFields(names);
    }

    /** Reports fields that are not supported or not known. Null and empty lists ask for nothing. */
    public void check(RequestFields fields) {
        for (String name : fields.names()) {
            if (!names.contains(name) && !IGNORED.contains(name) && !isNothing(fields, name)) {
                report(fields, name);
            }
        }
    }

    private static boolean isNothing(RequestFields fields, String name) {
        boolean known = UNSUPPORTED.containsKey(name);
        return known
                && fields.value(name)
                        .map(value -> value instanceof Json.Numbers numbers && isNothing(numbers))
                        .orElse(true);
    }

    /** An empty list, or false. */
    private static boolean isNothing(Json.Numbers numbers) {
        return numbers.count() == 0
                || numbers.shape().isEmpty() && numbers.all().real(numbers.from()) == 0;
    }

    private void report(RequestFields fields, String name) {
        String why = UNSUPPORTED.get(name);
        if (why != null) {
            fields.fault(name, "'%s': %s", name, why);
            return;
        }
        String nearest = Stream.concat(names.stream(), IGNORED.stream())
                .min(Comparator.<String>comparingInt(known -> EditDistance.of(name, known))
                        .thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
        fields.fault(name, "%s is not a known field; the nearest is '%s'", RequestFields.quote(name), nearest);
    }
}
