package io.knabla.runtime.openai;

import io.knabla.functions.unit.generation.SamplingDefaults;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * What a request asks of its texts.
 *
 * @param isStreamed whether the texts are sent piece by piece
 * @param hasUsage whether a stream ends with the numbers of tokens
 * @param choices texts for each prompt, 1 or more
 * @param maxTokens most tokens of each text
 * @param sampling of the first text; the others have other seeds
 * @param logprobs as in {@link GenerationRequest}
 */
record TextOptions(
        boolean isStreamed,
        boolean hasUsage,
        int choices,
        int maxTokens,
        Sampling sampling,
        List<String> stop,
        int logprobs) {
    static final int MOST_CHOICES = 16;

    private static final int MOST_STOPS = 4;

    /** A completion of old clients is short where they say nothing. */
    private static final int OLD_LENGTH = 16;

    /** Far from each other, so that neighbouring seeds of a client share no text. */
    private static final long NEXT_SEED = 0x9E3779B97F4A7C15L;

    /** Reads the fields that both kinds of completion have. */
    private static final class Reader {
        private final RequestFields fields;

        private Reader(RequestFields fields) {
            this.fields = fields;
        }

        private Sampling sampling(SamplingDefaults defaults, RandomGenerator random) {
            return new Sampling(
                    fields.real("temperature", defaults.temperature(), 0, 2),
                    topP(defaults.topP()),
                    fields.whole("top_k", -1, Integer.MAX_VALUE).stream()
                            .map(most -> Math.max(0, most))
                            .findFirst()
                            .orElse(defaults.topK()),
                    fields.real("min_p", 0, 0, 1),
                    penalties(defaults),
                    seed(random),
                    logitBias());
        }

        private double topP(double otherwise) {
            double share = fields.real("top_p", otherwise, 0, 1);
            if (share == 0) {
                fields.fault("top_p", "is 0, must be above 0 and at most 1");
                return 1;
            }
            return share;
        }

        private Sampling.Penalties penalties(SamplingDefaults defaults) {
            return new Sampling.Penalties(
                    fields.real("repetition_penalty", defaults.repetitionPenalty(), 0.01, 100),
                    fields.real("presence_penalty", 0, -2, 2),
                    fields.real("frequency_penalty", 0, -2, 2));
        }

        private long seed(RandomGenerator random) {
            Json given = fields.find("seed").orElse(null);
            if (given == null) {
                return random.nextLong();
            }
            if (given instanceof Json.Numbers one && one.shape().isEmpty()) {
                return one.all().integer(one.from());
            }
            fields.fault("seed", "must be a whole number");
            return 0;
        }

        private Map<Integer, Float> logitBias() {
            Map<Integer, Float> biases = new HashMap<>();
            Json value = fields.find("logit_bias").orElse(new Json.Fields(Map.of()));
            if (!(value instanceof Json.Fields(var byName))) {
                fields.fault("logit_bias", "must be an object of numbers by token id");
                return biases;
            }
            byName.forEach((token, bias) -> {
                if (!token.matches("[0-9]{1,9}")
                        || !(bias instanceof Json.Numbers one)
                        || !one.shape().isEmpty()
                        || Math.abs(one.all().real(one.from())) > 100) {
                    fields.fault("logit_bias", "must have token ids with numbers from -100 to 100");
                } else {
                    biases.put(Integer.valueOf(token), (float) one.all().real(one.from()));
                }
            });
            return biases;
        }

        private List<String> stop() {
            List<String> texts = new ArrayList<>();
            switch (fields.find("stop").orElse(new Json.Items(List.of()))) {
                case Json.Text(var text) -> texts.add(text);
                case Json.Items(var items) ->
                    items.forEach(item -> {
                        if (item instanceof Json.Text(var text)) {
                            texts.add(text);
                        } else {
                            fields.fault("stop", "must be a text, or a list of texts");
                        }
                    });
                case Json.Numbers none when none.count() == 0 -> {}
                case Json.Numbers _, Json.Fields _, Json.Null _ ->
                    fields.fault("stop", "must be a text, or a list of texts");
            }
            if (texts.size() > MOST_STOPS || texts.stream().anyMatch(String::isEmpty)) {
                fields.fault("stop", "must be at most %d texts, none of them empty".formatted(MOST_STOPS));
                return List.of();
            }
            return texts;
        }
    }

    /** @param random for a request without a seed */
    static TextOptions ofChat(RequestFields fields, SamplingDefaults defaults, RandomGenerator random) {
        OptionalInt most = fields.whole("max_completion_tokens", 1, Integer.MAX_VALUE);
        OptionalInt old = fields.whole("max_tokens", 1, Integer.MAX_VALUE);
        boolean told = fields.flag("logprobs");
        OptionalInt alternatives = fields.whole("top_logprobs", 0, GenerationRequest.MOST_LOGPROBS);
        if (alternatives.isPresent() && !told) {
            fields.fault("top_logprobs", "needs \"logprobs\": true");
        }
        return of(
                fields,
                most.orElse(old.orElse(Integer.MAX_VALUE)),
                told ? alternatives.orElse(0) : GenerationRequest.NO_LOGPROBS,
                new Reader(fields).sampling(defaults, random));
    }

    /** @param random for a request without a seed */
    static TextOptions ofCompletion(RequestFields fields, SamplingDefaults defaults, RandomGenerator random) {
        return of(
                fields,
                fields.whole("max_tokens", 1, Integer.MAX_VALUE).orElse(OLD_LENGTH),
                fields.whole("logprobs", 0, GenerationRequest.MOST_LOGPROBS).orElse(GenerationRequest.NO_LOGPROBS),
                new Reader(fields).sampling(defaults, random));
    }

    private static TextOptions of(RequestFields fields, int maxTokens, int logprobs, Sampling sampling) {
        boolean streamed = fields.flag("stream");
        return new TextOptions(
                streamed,
                hasUsage(fields, streamed),
                fields.whole("n", 1, MOST_CHOICES).orElse(1),
                maxTokens,
                sampling,
                new Reader(fields).stop(),
                logprobs);
    }

    private static boolean hasUsage(RequestFields fields, boolean streamed) {
        Json options = fields.find("stream_options").orElse(null);
        if (options == null) {
            return false;
        }
        if (!streamed || !(options instanceof Json.Fields(var byName))) {
            fields.fault("stream_options", "must be an object, and needs \"stream\": true");
            return false;
        }
        return byName.get("include_usage") instanceof Json.Numbers one
                && one.shape().isEmpty()
                && one.all().real(one.from()) == 1;
    }

    GenerationRequest request(int[] prompt, int choice) {
        return new GenerationRequest(
                prompt, maxTokens, withSeed(sampling.seed() + choice * NEXT_SEED), stop, logprobs, false);
    }

    private Sampling withSeed(long seed) {
        return new Sampling(
                sampling.temperature(),
                sampling.topP(),
                sampling.topK(),
                sampling.minP(),
                sampling.penalties(),
                seed,
                sampling.logitBias());
    }
}
