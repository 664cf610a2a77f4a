package io.knabla.functions.unit.encoder;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.knabla.functions.unit.Checks;
import io.knabla.functions.unit.UnitException;
import io.knabla.functions.unit.encoder.EncoderSettings.Embedding;
import io.knabla.functions.unit.encoder.EncoderSettings.Output;
import io.knabla.functions.unit.encoder.EncoderSettings.Score;
import io.knabla.functions.unit.encoder.Prompts.Prompt;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads and writes {@link EncoderSettings} as one JSON object; a field that this version does not know is an error. */
final class EncoderSettingsJson {
    private static final String MAX_TOKENS = "maxTokens";
    private static final String VOCABULARY = "vocabulary";
    private static final String PAD_TOKEN = "padToken";
    private static final String WIDTH = "width";
    private static final String NORMALIZED = "normalized";
    private static final String PROMPTS = "prompts";
    private static final String DEFAULT_PROMPT = "defaultPrompt";
    private static final Set<String> NUMBERS = Set.of(MAX_TOKENS, VOCABULARY, PAD_TOKEN, WIDTH);

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final JsonParser in;
    private final Map<String, Integer> numbers = new HashMap<>();
    private boolean normalized;
    private List<Prompt> prompts = List.of();
    private Optional<String> defaultPrompt = Optional.empty();

    private EncoderSettingsJson(JsonParser in) {
        this.in = in;
    }

    /** A unit whose output has no width gives scores. */
    static byte[] write(EncoderSettings settings) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeNumberField(MAX_TOKENS, settings.maxTokens());
            out.writeNumberField(VOCABULARY, settings.vocabulary());
            out.writeNumberField(PAD_TOKEN, settings.padToken());
            if (settings.output() instanceof Embedding embedding) {
                write(out, embedding);
            }
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** A model without prompts has no fields for them, as before there were any. */
    private static void write(JsonGenerator out, Embedding embedding) throws IOException {
        out.writeNumberField(WIDTH, embedding.width());
        out.writeBooleanField(NORMALIZED, embedding.normalized());
        if (!embedding.prompts().all().isEmpty()) {
            out.writeFieldName(PROMPTS);
            PromptsJson.write(out, embedding.prompts().all());
        }
        if (embedding.prompts().byDefault().isPresent()) {
            out.writeStringField(DEFAULT_PROMPT, embedding.prompts().byDefault().get());
        }
    }

    static EncoderSettings read(byte[] json) {
        try (JsonParser in = JSON.createParser(json)) {
            return new EncoderSettingsJson(in).settings();
        } catch (JacksonException bad) {
            throw UnitException.badFile(EncoderSettings.FILE, bad.getOriginalMessage());
        } catch (IOException | IllegalArgumentException bad) {
            throw UnitException.badFile(EncoderSettings.FILE, bad.getMessage());
        }
    }

    private EncoderSettings settings() throws IOException {
        Checks.that(in.nextToken() == JsonToken.START_OBJECT, "the file is no JSON object");
        while (in.nextToken() != JsonToken.END_OBJECT) {
            field(in.currentName(), in.nextToken());
        }
        Checks.that(in.nextToken() == null, "something follows the settings");
        Output output = numbers.containsKey(WIDTH)
                ? new Embedding(number(WIDTH), normalized, new Prompts(prompts, defaultPrompt))
                : new Score();
        return new EncoderSettings(number(MAX_TOKENS), number(VOCABULARY), number(PAD_TOKEN), output);
    }

    private void field(String name, JsonToken value) throws IOException {
        switch (name) {
            case NORMALIZED -> {
                Checks.that(value.isBoolean(), "'%s' is neither true nor false", name);
                normalized = in.getBooleanValue();
            }
            case PROMPTS -> prompts = PromptsJson.read(in);
            case DEFAULT_PROMPT -> defaultPrompt = Optional.of(PromptsJson.text(in));
            default -> {
                Checks.that(NUMBERS.contains(name), "field '%s' is unknown", name);
                Checks.that(value == JsonToken.VALUE_NUMBER_INT, "'%s' is not a whole number", name);
                numbers.put(name, in.getIntValue());
            }
        }
    }

    private int number(String name) {
        Checks.that(numbers.containsKey(name), "'%s' is missing", name);
        return numbers.get(name);
    }
}
