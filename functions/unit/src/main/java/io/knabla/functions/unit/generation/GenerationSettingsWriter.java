package io.knabla.functions.unit.generation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Writes {@link GenerationSettings} as JSON, the same bytes for equal settings: a fixed order of fields, no white
 * space, and no field whose value changes nothing.
 */
final class GenerationSettingsWriter {
    /** Of a chat template; the longest known has 20 KB. */
    private static final int MAX_STRING = 1 << 20;

    private static final int MAX_NESTING = 4;

    static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_NESTING)
                    .maxStringLength(MAX_STRING)
                    .build())
            .build();

    private GenerationSettingsWriter() {}

    static byte[] write(GenerationSettings settings) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            limits(out, settings.limits(), settings.shape().cache());
            shape(out, settings.shape());
            out.writeArrayFieldStart("endTokens");
            for (int token : settings.endTokens()) {
                out.writeNumber(token);
            }
            out.writeEndArray();
            if (settings.chatTemplate().isPresent()) {
                out.writeStringField("chatTemplate", settings.chatTemplate().get());
            }
            out.writeObjectFieldStart("specialTokens");
            for (Map.Entry<String, String> token : settings.specialTokens().entrySet()) {
                out.writeStringField(token.getKey(), token.getValue());
            }
            out.writeEndObject();
            sampling(out, settings.sampling());
            objectives(out, settings.objectives());
            speculation(out, settings.speculation());
            out.writeEndObject();
        } catch (IOException notText) {
            // Writing to memory cannot fail, so a text is not valid Unicode.
            throw new IllegalArgumentException(notText.getMessage(), notText);
        }
        return bytes.toByteArray();
    }

    private static void limits(JsonGenerator out, GenerationLimits limits, CacheType cache) throws IOException {
        out.writeNumberField("contextLength", limits.contextLength());
        out.writeNumberField("maxSequences", limits.maxSequences());
        out.writeObjectFieldStart("kvCache");
        out.writeNumberField("maxBytes", limits.kvCacheBytes());
        if (cache != CacheType.FLOAT32) {
            out.writeNumberField("bits", cache.bits());
        }
        out.writeEndObject();
        out.writeObjectFieldStart("queue");
        out.writeNumberField("max", limits.queue());
        out.writeNumberField("maxWaitMillis", limits.maxWaitMillis());
        out.writeEndObject();
    }

    private static void shape(JsonGenerator out, DecoderShape shape) throws IOException {
        out.writeNumberField("layers", shape.layers());
        out.writeNumberField("kvHeads", shape.kvHeads());
        out.writeNumberField("headWidth", shape.headWidth());
        out.writeNumberField("vocabulary", shape.vocabulary());
    }

    private static void sampling(JsonGenerator out, SamplingDefaults sampling) throws IOException {
        SamplingDefaults neutral = SamplingDefaults.NEUTRAL;
        out.writeObjectFieldStart("sampling");
        if (sampling.temperature() != neutral.temperature()) {
            out.writeNumberField("temperature", sampling.temperature());
        }
        if (sampling.topP() != neutral.topP()) {
            out.writeNumberField("topP", sampling.topP());
        }
        if (sampling.topK() != neutral.topK()) {
            out.writeNumberField("topK", sampling.topK());
        }
        if (sampling.repetitionPenalty() != neutral.repetitionPenalty()) {
            out.writeNumberField("repetitionPenalty", sampling.repetitionPenalty());
        }
        out.writeEndObject();
    }

    /** Left out where there are none, so that the bytes of such units are those of before. */
    private static void objectives(JsonGenerator out, LatencyObjectives objectives) throws IOException {
        if (objectives.equals(LatencyObjectives.NONE)) {
            return;
        }
        out.writeObjectFieldStart("objectives");
        time(out, "timeToFirstTokenMillis", objectives.timeToFirstToken());
        time(out, "timePerOutputTokenMillis", objectives.timePerOutputToken());
        out.writeEndObject();
    }

    /** Left out where there is none, as objectives are. */
    private static void speculation(JsonGenerator out, Speculation speculation) throws IOException {
        switch (speculation) {
            case Speculation.None() -> {}
            case Speculation.PromptLookup(var tokens) -> {
                out.writeObjectFieldStart("speculation");
                out.writeNumberField("promptLookupTokens", tokens);
                out.writeEndObject();
            }
            case Speculation.Draft(var tokens, var shape) -> {
                out.writeObjectFieldStart("speculation");
                out.writeNumberField("draftTokens", tokens);
                shape(out, shape);
                out.writeEndObject();
            }
        }
    }

    private static void time(JsonGenerator out, String name, Optional<Duration> time) throws IOException {
        if (time.isPresent()) {
            out.writeNumberField(name, time.get().toMillis());
        }
    }
}
