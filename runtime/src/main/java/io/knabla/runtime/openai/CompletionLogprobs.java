package io.knabla.runtime.openai;

import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.protocol.JsonWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes log probabilities as completions have them. */
final class CompletionLogprobs {
    private CompletionLogprobs() {}

    /**
     * @param offset of the first token in the text
     * @return the offset after the last one
     */
    static int write(JsonWriter json, List<GeneratedToken> tokens, TokenTexts texts, int offset) {
        json.raw("{\"tokens\":[");
        each(json, tokens, token -> json.text(texts.text(token.id())));
        json.raw("],\"token_logprobs\":[");
        each(json, tokens, token -> json.raw(ChatLogprobs.number(token.logprob())));
        json.raw("],\"top_logprobs\":[");
        each(json, tokens, token -> alternatives(json, token, texts));
        json.raw("],\"text_offset\":[");
        int[] next = {offset};
        each(json, tokens, token -> {
            json.number(next[0]);
            next[0] += texts.text(token.id()).length();
        });
        json.raw("]}");
        return next[0];
    }

    private interface Writing {
        void write(GeneratedToken token);
    }

    private static void each(JsonWriter json, List<GeneratedToken> tokens, Writing writing) {
        String gap = "";
        for (GeneratedToken token : tokens) {
            json.raw(gap);
            writing.write(token);
            gap = ",";
        }
    }

    /**
     * The most probable tokens, and the chosen one if it is not among them. Of tokens with equal texts the most
     * probable is kept: the names of an object differ.
     */
    private static void alternatives(JsonWriter json, GeneratedToken chosen, TokenTexts texts) {
        Map<String, Float> byText = new LinkedHashMap<>();
        chosen.alternatives().forEach(token -> byText.putIfAbsent(texts.text(token.id()), token.logprob()));
        byText.putIfAbsent(texts.text(chosen.id()), chosen.logprob());
        json.raw("{");
        String gap = "";
        for (var token : byText.entrySet()) {
            json.raw(gap).text(token.getKey()).raw(":").raw(ChatLogprobs.number(token.getValue()));
            gap = ",";
        }
        json.raw("}");
    }
}
