package io.knabla.runtime.openai;

import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.functions.unit.generation.SamplingDefaults;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.Sampling.Penalties;
import io.knabla.runtime.generation.grammar.TokenGrammar;
import io.knabla.runtime.json.Json;
import io.knabla.runtime.openai.Options.Streaming;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/** Reads the options of a request; what it does not say is as the model's makers recommend. */
final class OptionsReader {
    private static final int MOST_CHOICES = 8;
    private static final int MOST_STOPS = 4;
    private static final int LONGEST_STOP = 1000;
    private static final int MOST_BIASES = 1024;
    private static final int USUAL_COMPLETION = 16;

    /** Most tokens that may be asked for; no context is longer. */
    private static final long MOST_TOKENS = Integer.MAX_VALUE;

    private final RequestFields fields;
    private final GenerationSettings settings;
    private final ModelGrammars grammars;

    private OptionsReader(RequestFields fields, GenerationSettings settings, ModelGrammars grammars) {
        this.fields = fields;
        this.settings = settings;
        this.grammars = grammars;
    }

    static Options chat(RequestFields fields, GenerationSettings settings, ModelGrammars grammars) {
        var reader = new OptionsReader(fields, settings, grammars);
        OptionalInt most = reader.tokens("max_completion_tokens");
        OptionalInt older = reader.tokens("max_tokens");
        return reader.options(most.isPresent() ? most : older, reader.chatLogprobs());
    }

    static Options completion(RequestFields fields, GenerationSettings settings, ModelGrammars grammars) {
        var reader = new OptionsReader(fields, settings, grammars);
        OptionalInt most = reader.tokens("max_tokens");
        OptionalLong logprobs = fields.whole("logprobs", 0, GenerationRequest.MOST_LOGPROBS);
        return reader.options(most.isPresent() ? most : OptionalInt.of(USUAL_COMPLETION), (int)
                logprobs.orElse(GenerationRequest.NO_LOGPROBS));
    }

    private Options options(OptionalInt maxTokens, int logprobs) {
        int choices = (int) fields.whole("n", 1, MOST_CHOICES).orElse(1);
        Optional<TokenGrammar> grammar = new ResponseFormatReader(fields, grammars).read();
        return new Options(sampling(), maxTokens, stops(), logprobs, choices, streaming(), grammar);
    }

    /** More than the context holds is as good as all that it holds. */
    private OptionalInt tokens(String name) {
        OptionalLong tokens = fields.whole(name, 1, MOST_TOKENS);
        return tokens.isPresent()
                ? OptionalInt.of(
                        (int) Math.min(tokens.getAsLong(), settings.limits().contextLength()))
                : OptionalInt.empty();
    }

    private int chatLogprobs() {
        OptionalLong top = fields.whole("top_logprobs", 0, GenerationRequest.MOST_LOGPROBS);
        if (fields.flag("logprobs")) {
            return (int) top.orElse(0);
        }
        if (top.isPresent()) {
            fields.fault("top_logprobs", "'top_logprobs' needs 'logprobs': true");
        }
        return GenerationRequest.NO_LOGPROBS;
    }

    private Streaming streaming() {
        boolean on = fields.flag("stream");
        Map<String, Json> options = fields.object("stream_options");
        if (!options.isEmpty() && !on) {
            fields.fault("stream_options", "'stream_options' needs 'stream': true");
        }
        boolean usage = false;
        for (var option : options.entrySet()) {
            if (option.getKey().equals("include_usage")
                    && option.getValue() instanceof Json.Numbers numbers
                    && numbers.shape().isEmpty()) {
                usage = numbers.all().real(numbers.from()) == 1;
            } else {
                fields.fault(
                        "stream_options",
                        "'stream_options' has %s; it may have 'include_usage': true or false",
                        RequestFields.quote(option.getKey()));
            }
        }
        return on ? (usage ? Streaming.WITH_USAGE : Streaming.ON) : Streaming.OFF;
    }

    private List<String> stops() {
        Json value = fields.value("stop").orElse(new Json.Items(List.of()));
        List<String> stops = new ArrayList<>();
        switch (value) {
            case Json.Text(String one) -> stops.add(one);
            case Json.Items(List<Json> items) -> items.forEach(item -> stops.add(stop(item)));
            case Json.Numbers numbers when numbers.count() == 0 -> {}
            default -> stops.add("");
        }
        boolean wrong = stops.size() > MOST_STOPS
                || stops.stream().anyMatch(stop -> stop.isEmpty() || stop.length() > LONGEST_STOP);
        if (wrong) {
            fields.fault(
                    "stop",
                    "'stop' must be a string or at most %d strings, each of 1 to %d characters",
                    MOST_STOPS,
                    LONGEST_STOP);
            return List.of();
        }
        return stops;
    }

    private static String stop(Json item) {
        return item instanceof Json.Text(String text) ? text : "";
    }

    private Sampling sampling() {
        SamplingDefaults usual = settings.sampling();
        long seed = fields.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE)
                .orElseGet(() -> ThreadLocalRandom.current().nextLong());
        var penalties = new Penalties(
                fields.real("repetition_penalty", 0.01, 100).orElse(usual.repetitionPenalty()),
                fields.real("presence_penalty", -2, 2).orElse(0),
                fields.real("frequency_penalty", -2, 2).orElse(0));
        return new Sampling(
                fields.real("temperature", 0, 2).orElse(usual.temperature()),
                fields.real("top_p", 1e-6, 1).orElse(usual.topP()),
                topK(usual.topK()),
                fields.real("min_p", 0, 1).orElse(0),
                penalties,
                seed,
                bias());
    }

    private int topK(int usual) {
        // vLLM and transformers say -1 for all tokens.
        return (int) Math.max(0, fields.whole("top_k", -1, Integer.MAX_VALUE).orElse(usual));
    }

    private Map<Integer, Float> bias() {
        Map<String, Json> given = fields.object("logit_bias");
        Map<Integer, Float> bias = new HashMap<>();
        for (var entry : given.entrySet()) {
            int token = token(entry.getKey());
            float value = value(entry.getValue());
            if (token < 0 || !(Math.abs(value) <= 100) || given.size() > MOST_BIASES) {
                fields.fault(
                        "logit_bias",
                        "'logit_bias' has %s; it must have at most %d ids of tokens, \"0\" to \"%d\", each with a number from -100 to 100",
                        RequestFields.quote(entry.getKey()),
                        MOST_BIASES,
                        settings.shape().vocabulary() - 1);
                return Map.of();
            }
            bias.put(token, value);
        }
        return bias;
    }

    /** -1 if it is no id. */
    private int token(String key) {
        boolean digits = !key.isEmpty() && key.length() < 10 && key.chars().allMatch(c -> c >= '0' && c <= '9');
        int token = digits ? Integer.parseInt(key) : -1;
        return token < settings.shape().vocabulary() ? token : -1;
    }

    private static float value(Json json) {
        return json instanceof Json.Numbers numbers && numbers.shape().isEmpty()
                ? (float) numbers.all().real(numbers.from())
                : Float.NaN;
    }
}
