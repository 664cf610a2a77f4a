package io.knabla.runtime.openai;

import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GeneratedToken.TokenLogprob;
import io.knabla.runtime.protocol.JsonWriter;
import java.util.List;

/** Writes log probabilities as chat completions have them. */
final class ChatLogprobs {
    /** OpenAI's number for a token that is impossible. */
    private static final String IMPOSSIBLE = "-9999.0";

    private ChatLogprobs() {}

    static void write(JsonWriter json, List<GeneratedToken> tokens, TokenTexts texts) {
        json.raw("{\"content\":[");
        String gap = "";
        for (GeneratedToken token : tokens) {
            json.raw(gap);
            open(json, token.id(), token.logprob(), texts);
            json.raw(",\"top_logprobs\":[");
            alternatives(json, token.alternatives(), texts);
            json.raw("]}");
            gap = ",";
        }
        json.raw("],\"refusal\":null}");
    }

    private static void alternatives(JsonWriter json, List<TokenLogprob> alternatives, TokenTexts texts) {
        String gap = "";
        for (TokenLogprob token : alternatives) {
            json.raw(gap);
            open(json, token.id(), token.logprob(), texts);
            json.raw("}");
            gap = ",";
        }
    }

    private static void open(JsonWriter json, int id, float logprob, TokenTexts texts) {
        json.raw("{\"token\":")
                .text(texts.text(id))
                .raw(",\"logprob\":")
                .raw(number(logprob))
                .raw(",\"bytes\":");
        texts.bytes(id).ifPresentOrElse(bytes -> bytes(json, bytes), () -> json.raw("null"));
    }

    private static void bytes(JsonWriter json, byte[] bytes) {
        json.raw("[");
        String gap = "";
        for (byte b : bytes) {
            json.raw(gap).number(Byte.toUnsignedInt(b));
            gap = ",";
        }
        json.raw("]");
    }

    static String number(float logprob) {
        return Float.isFinite(logprob) ? Float.toString(logprob) : IMPOSSIBLE;
    }
}
