package io.knabla.runtime.openai;

import com.fasterxml.jackson.core.JsonGenerator;
import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.TokenUsage;
import java.io.IOException;
import java.util.List;

/**
 * Writes one answer, whole or in pieces, as OpenAI's reference of its API has it.
 *
 * @param created seconds since 1970
 * @param logprobs null if the request asks for none
 */
record CompletionJson(CompletionKind kind, String id, long created, String model, LogprobJson logprobs) {
    /** Numbers of tokens of several texts; the prompt of n texts counts once. */
    record Usage(long prompt, long generated, long cached) {
        static Usage of(List<TokenUsage> texts, int choices) {
            long prompt = 0;
            long generated = 0;
            long cached = 0;
            for (int i = 0; i < texts.size(); i++) {
                generated += texts.get(i).generated();
                if (i % choices == 0) {
                    prompt += texts.get(i).prompt();
                    cached += texts.get(i).cached();
                }
            }
            return new Usage(prompt, generated, cached);
        }
    }

    byte[] whole(List<CompletedText> texts, Usage usage) {
        return ApiJson.write(out -> {
            head(out, kind.object());
            out.writeArrayFieldStart("choices");
            for (int i = 0; i < texts.size(); i++) {
                whole(out, i, texts.get(i));
            }
            out.writeEndArray();
            usage(out, usage);
        });
    }

    private void whole(JsonGenerator out, int index, CompletedText text) throws IOException {
        out.writeStartObject();
        out.writeNumberField("index", index);
        switch (kind) {
            case CHAT -> {
                out.writeObjectFieldStart("message");
                out.writeStringField("role", "assistant");
                out.writeStringField("content", text.text());
                out.writeNullField("refusal");
                out.writeEndObject();
            }
            case TEXT -> out.writeStringField("text", text.text());
        }
        logprobs(out, text.tokens());
        out.writeStringField("finish_reason", reason(text.reason()));
        out.writeEndObject();
    }

    /** Begins a chat's text: names who speaks. */
    byte[] begin(int index) {
        return chunk(index, "", List.of(), null, true);
    }

    byte[] piece(int index, String text, List<GeneratedToken> tokens) {
        return chunk(index, text, tokens, null, false);
    }

    byte[] end(int index, FinishReason reason) {
        return chunk(index, "", List.of(), reason, false);
    }

    private byte[] chunk(int index, String text, List<GeneratedToken> tokens, FinishReason reason, boolean begins) {
        return ApiJson.write(out -> {
            head(out, kind.chunk());
            out.writeArrayFieldStart("choices");
            out.writeStartObject();
            out.writeNumberField("index", index);
            switch (kind) {
                case CHAT -> delta(out, text, reason != null, begins);
                case TEXT -> out.writeStringField("text", text);
            }
            logprobs(out, tokens);
            out.writeStringField("finish_reason", reason == null ? null : reason(reason));
            out.writeEndObject();
            out.writeEndArray();
        });
    }

    private static void delta(JsonGenerator out, String text, boolean ends, boolean begins) throws IOException {
        out.writeObjectFieldStart("delta");
        if (begins) {
            out.writeStringField("role", "assistant");
        }
        if (!ends) {
            out.writeStringField("content", text);
        }
        out.writeEndObject();
    }

    /** The last chunk of a stream that has it: no text, only the numbers of tokens. */
    byte[] usage(Usage usage) {
        return ApiJson.write(out -> {
            head(out, kind.chunk());
            out.writeArrayFieldStart("choices");
            out.writeEndArray();
            usage(out, usage);
        });
    }

    private void head(JsonGenerator out, String object) throws IOException {
        out.writeStringField("id", id);
        out.writeStringField("object", object);
        out.writeNumberField("created", created);
        out.writeStringField("model", model);
    }

    private void logprobs(JsonGenerator out, List<GeneratedToken> tokens) throws IOException {
        if (logprobs == null || tokens.isEmpty()) {
            out.writeNullField("logprobs");
            return;
        }
        switch (kind) {
            case CHAT -> logprobs.chat(out, tokens);
            case TEXT -> logprobs.text(out, tokens);
        }
    }

    private static String reason(FinishReason reason) {
        return switch (reason) {
            case STOP, CANCELLED -> "stop";
            case LENGTH -> "length";
        };
    }

    private static void usage(JsonGenerator out, Usage usage) throws IOException {
        out.writeObjectFieldStart("usage");
        out.writeNumberField("prompt_tokens", usage.prompt());
        out.writeNumberField("completion_tokens", usage.generated());
        out.writeNumberField("total_tokens", usage.prompt() + usage.generated());
        out.writeObjectFieldStart("prompt_tokens_details");
        out.writeNumberField("cached_tokens", usage.cached());
        out.writeEndObject();
        out.writeEndObject();
    }
}
