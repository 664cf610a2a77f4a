package io.knabla.functions.unit.generation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.UnitException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GenerationSettingsTest {
    private static final GenerationSettings SETTINGS = new GenerationSettings(
            new GenerationLimits(4096, 16, 2L << 30, 64, 30_000),
            new DecoderShape(2, 4, 64, 32000),
            List.of(2, 7),
            Optional.of("{{ bos_token }}"),
            Map.of("eos_token", "</s>", "bos_token", "<s>"),
            new SamplingDefaults(0.6, 0.9, 50, 1.1),
            new LatencyObjectives(Optional.of(Duration.ofSeconds(1)), Optional.of(Duration.ofMillis(50))),
            new Speculation.PromptLookup(4));

    private static final String JSON = """
            {"contextLength":4096,"maxSequences":16,"kvCache":{"maxBytes":2147483648},"queue":{"max":64,"maxWaitMillis":30000},\
            "layers":2,"kvHeads":4,"headWidth":64,"vocabulary":32000,"endTokens":[2,7],"chatTemplate":"{{ bos_token }}",\
            "specialTokens":{"bos_token":"<s>","eos_token":"</s>"},\
            "sampling":{"temperature":0.6,"topP":0.9,"topK":50,"repetitionPenalty":1.1},\
            "objectives":{"timeToFirstTokenMillis":1000,"timePerOutputTokenMillis":50},\
            "speculation":{"promptLookupTokens":4}}""";

    private static GenerationSettings parse(String json) {
        return GenerationSettings.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void writesItsForm() {
        assertThat(new String(SETTINGS.toJson(), StandardCharsets.UTF_8)).isEqualTo(JSON);
    }

    @Test
    void readsWhatItWrites() {
        assertThat(parse(JSON)).isEqualTo(SETTINGS);
    }

    @Test
    void absentFieldsAreNeutral() {
        GenerationSettings settings = parse("""
                {"layers":2,"kvHeads":4,"headWidth":64,"vocabulary":100,"contextLength":64,"maxSequences":1,
                 "kvCache":{"maxBytes":4096},"queue":{"max":0,"maxWaitMillis":0},"sampling":{"temperature":1}}
                """);
        assertThat(settings.sampling()).isEqualTo(SamplingDefaults.NEUTRAL);
        assertThat(settings.chatTemplate()).isEmpty();
        assertThat(settings.objectives()).isEqualTo(LatencyObjectives.NONE);
        assertThat(settings.speculation()).isEqualTo(new Speculation.None());
        assertThat(new String(settings.toJson(), StandardCharsets.UTF_8)).doesNotContain("objectives", "speculation");
        assertThat(settings.endTokens()).isEmpty();
        assertThat(parse(new String(settings.toJson(), StandardCharsets.UTF_8))).isEqualTo(settings);
    }

    @Test
    void bytesOfATokenAreThoseOfAllLayers() {
        assertThat(SETTINGS.bytesPerToken()).isEqualTo(2 * 2 * 4 * 64 * 4);
    }

    @Test
    void keysAndValuesOf8BitsTakeAQuarter() {
        String json = JSON.replace("2147483648}", "2147483648,\"bits\":8}");

        GenerationSettings settings = parse(json);

        assertThat(settings.shape()).isEqualTo(SETTINGS.shape().with(CacheType.INT8));
        assertThat(settings.bytesPerToken()).isEqualTo(SETTINGS.bytesPerToken() / 4);
        assertThat(new String(settings.toJson(), StandardCharsets.UTF_8)).isEqualTo(json);
        assertThatThrownBy(() -> parse(json.replace("\"bits\":8", "\"bits\":4")))
                .hasMessageContaining("kvCache.bits is 4, must be 8 or 32");
    }

    @Test
    void aModelThatDraftsHasAShapeOfItsOwn() {
        String json = JSON.replace(
                "\"promptLookupTokens\":4",
                "\"draftTokens\":3,\"layers\":1,\"kvHeads\":2,\"headWidth\":8,\"vocabulary\":31999");
        var draft = new Speculation.Draft(3, new DecoderShape(1, 2, 8, 31999));

        GenerationSettings settings = parse(json);

        assertThat(settings.speculation()).isEqualTo(draft);
        assertThat(settings.shape()).isEqualTo(SETTINGS.shape());
        assertThat(new String(settings.toJson(), StandardCharsets.UTF_8)).isEqualTo(json);
        assertThat(draft.mostTokens()).isEqualTo(3);
        assertThat(draft.keyValueBytes(100)).isEqualTo(2 * 100 * (2 * 2 * 8 * 4));
        assertThatThrownBy(() -> parse(json.replace("draftTokens\":3", "draftTokens\":0")))
                .hasMessageContaining("speculation.draftTokens is 0, must be 1 to 16");
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "maxSequences":16   | "maxSequences":0    | maxSequences is 0, must be 1 or more
            "layers":2,         | "layers":2.5,       | 'layers' is 2.5, not a whole number
            "layers":2,         |                     | 'layers' is missing
            "max":64            | "most":64           | field 'queue.most' is unknown
            [2,7]               | [2,32000]           | endTokens has 32000; a token's id is 0 to 31999
            [2,7]               | "2"                 | endTokens: found VALUE_STRING, expected START_ARRAY
            "topP":0.9          | "topP":1.5          | topP is 1.5, must be above 0 and at most 1
            Millis":50          | Millis":0           | objectives.timePerOutputTokenMillis is 0, must be 1 or more
            Millis":50          | Millis":"x"         | 'objectives.timePerOutputTokenMillis' is not a number
            Tokens":4           | Tokens":17          | speculation.promptLookupTokens is 17, must be 1 to 16
            promptLookupTokens  | draftTokens         | 'speculation.layers' is missing
            "kvHeads":4         | "layers":4          | Duplicate field 'layers'
            """)
    void refusesWithAReason(String from, String to, String reason) {
        String wrong = JSON.replace(from, to == null ? "" : to);
        assertThatThrownBy(() -> parse(wrong))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining("generation.json")
                .hasMessageContaining(reason);
    }
}
