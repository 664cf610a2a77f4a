package io.knabla.runtime.openai;

import com.fasterxml.jackson.core.JsonGenerator;
import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GeneratedToken.TokenLogprob;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes log probabilities of tokens in the forms of chats and of texts. */
record LogprobJson(Tokenizer tokenizer) {
    /** JSON has no infinity: less than any float's exponential can tell from 0. */
    private static final double LEAST = -9999;

    void chat(JsonGenerator out, List<GeneratedToken> tokens) throws IOException {
        out.writeObjectFieldStart("logprobs");
        out.writeArrayFieldStart("content");
        for (GeneratedToken token : tokens) {
            out.writeStartObject();
            token(out, token.id(), token.logprob());
            out.writeArrayFieldStart("top_logprobs");
            for (TokenLogprob other : token.alternatives()) {
                out.writeStartObject();
                token(out, other.id(), other.logprob());
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeNullField("refusal");
        out.writeEndObject();
    }

    private void token(JsonGenerator out, int id, float logprob) throws IOException {
        String text = text(id);
        out.writeStringField("token", text);
        out.writeNumberField("logprob", finite(logprob));
        out.writeArrayFieldStart("bytes");
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            out.writeNumber(Byte.toUnsignedInt(one));
        }
        out.writeEndArray();
    }

    void text(JsonGenerator out, List<GeneratedToken> tokens) throws IOException {
        out.writeObjectFieldStart("logprobs");
        out.writeArrayFieldStart("tokens");
        for (GeneratedToken token : tokens) {
            out.writeString(text(token.id()));
        }
        out.writeEndArray();
        out.writeArrayFieldStart("token_logprobs");
        for (GeneratedToken token : tokens) {
            out.writeNumber(finite(token.logprob()));
        }
        out.writeEndArray();
        out.writeArrayFieldStart("top_logprobs");
        for (GeneratedToken token : tokens) {
            out.writeStartObject();
            for (TokenLogprob other : token.alternatives()) {
                out.writeNumberField(text(other.id()), finite(other.logprob()));
            }
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private String text(int id) {
        return id < tokenizer.size() ? tokenizer.decode(new int[] {id}, false) : "";
    }

    private static double finite(float logprob) {
        return Math.max(LEAST, logprob);
    }
}
