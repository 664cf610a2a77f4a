package io.knabla.functions.unit.generation;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.knabla.functions.unit.Checks;
import io.knabla.functions.unit.UnitException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@link GenerationSettings} from JSON; a field that this version does not know is an error. */
final class GenerationSettingsReader {
    private static final String SAMPLING = "sampling.";

    private static final String FIRST_TOKEN = "objectives.timeToFirstTokenMillis";
    private static final String OUTPUT_TOKEN = "objectives.timePerOutputTokenMillis";
    private static final String CACHE_BITS = "kvCache.bits";
    private static final String SPECULATION = "speculation.";
    private static final String PROMPT_LOOKUP = SPECULATION + "promptLookupTokens";
    private static final String DRAFT = SPECULATION + "draftTokens";

    private static final Set<String> NUMBERS = Set.of(
            "contextLength",
            "maxSequences",
            "kvCache.maxBytes",
            CACHE_BITS,
            "queue.max",
            "queue.maxWaitMillis",
            "layers",
            "kvHeads",
            "headWidth",
            "vocabulary",
            SAMPLING + "temperature",
            SAMPLING + "topP",
            SAMPLING + "topK",
            SAMPLING + "repetitionPenalty",
            FIRST_TOKEN,
            OUTPUT_TOKEN,
            PROMPT_LOOKUP,
            DRAFT,
            SPECULATION + "layers",
            SPECULATION + "kvHeads",
            SPECULATION + "headWidth",
            SPECULATION + "vocabulary");

    private final JsonParser in;
    private final Map<String, Number> numbers = new HashMap<>();
    private final Map<String, String> specialTokens = new LinkedHashMap<>();
    private final List<Integer> endTokens = new ArrayList<>();
    private Optional<String> chatTemplate = Optional.empty();

    private GenerationSettingsReader(JsonParser in) {
        this.in = in;
    }

    static GenerationSettings read(byte[] json) {
        try (JsonParser in = GenerationSettingsWriter.JSON.createParser(json)) {
            return new GenerationSettingsReader(in).settings();
        } catch (JacksonException bad) {
            throw UnitException.badFile(GenerationSettings.FILE, bad.getOriginalMessage());
        } catch (IOException | IllegalArgumentException | ArithmeticException bad) {
            throw UnitException.badFile(GenerationSettings.FILE, bad.getMessage());
        }
    }

    private GenerationSettings settings() throws IOException {
        expect(in.nextToken(), JsonToken.START_OBJECT, "the file");
        while (in.nextToken() != JsonToken.END_OBJECT) {
            field(in.currentName());
        }
        Checks.that(in.nextToken() == null, "something follows the settings");
        return new GenerationSettings(
                limits(),
                shape("").with(cache()),
                endTokens,
                chatTemplate,
                specialTokens,
                sampling(),
                objectives(),
                speculation());
    }

    private void field(String name) throws IOException {
        JsonToken value = in.nextToken();
        switch (name) {
            case "endTokens" -> endTokens(value);
            case "chatTemplate" -> {
                expect(value, JsonToken.VALUE_STRING, name);
                chatTemplate = Optional.of(in.getText());
            }
            case "specialTokens" -> specialTokens(value);
            case "kvCache", "queue", "sampling", "objectives", "speculation" -> group(name, value);
            default -> number(name, value);
        }
    }

    private void endTokens(JsonToken value) throws IOException {
        expect(value, JsonToken.START_ARRAY, "endTokens");
        while (in.nextToken() != JsonToken.END_ARRAY) {
            expect(in.currentToken(), JsonToken.VALUE_NUMBER_INT, "endTokens");
            endTokens.add(in.getIntValue());
        }
    }

    private void specialTokens(JsonToken value) throws IOException {
        expect(value, JsonToken.START_OBJECT, "specialTokens");
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            expect(in.nextToken(), JsonToken.VALUE_STRING, "specialTokens." + name);
            specialTokens.put(name, in.getText());
        }
    }

    private void group(String name, JsonToken value) throws IOException {
        expect(value, JsonToken.START_OBJECT, name);
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String path = name + "." + in.currentName();
            number(path, in.nextToken());
        }
    }

    private void number(String path, JsonToken value) throws IOException {
        Checks.that(NUMBERS.contains(path), "field '%s' is unknown", path);
        Checks.that(value.isNumeric(), "'%s' is not a number", path);
        numbers.put(path, in.getNumberValue());
    }

    private static void expect(JsonToken found, JsonToken wanted, String where) {
        Checks.that(found == wanted, "%s: found %s, expected %s", where, found, wanted);
    }

    private GenerationLimits limits() {
        return new GenerationLimits(
                whole("contextLength"),
                whole("maxSequences"),
                large("kvCache.maxBytes"),
                whole("queue.max"),
                large("queue.maxWaitMillis"));
    }

    private DecoderShape shape(String in) {
        return new DecoderShape(
                whole(in + "layers"), whole(in + "kvHeads"), whole(in + "headWidth"), whole(in + "vocabulary"));
    }

    /** The keys and values of a model that drafts are 32-bit numbers in any case. */
    private CacheType cache() {
        return numbers.containsKey(CACHE_BITS) ? CacheType.of(whole(CACHE_BITS)) : CacheType.FLOAT32;
    }

    private SamplingDefaults sampling() {
        SamplingDefaults neutral = SamplingDefaults.NEUTRAL;
        return new SamplingDefaults(
                real("temperature", neutral.temperature()),
                real("topP", neutral.topP()),
                numbers.containsKey(SAMPLING + "topK") ? whole(SAMPLING + "topK") : neutral.topK(),
                real("repetitionPenalty", neutral.repetitionPenalty()));
    }

    /** Units that were written before there were objectives have none. */
    private LatencyObjectives objectives() {
        return new LatencyObjectives(time(FIRST_TOKEN), time(OUTPUT_TOKEN));
    }

    private Speculation speculation() {
        if (numbers.containsKey(DRAFT)) {
            return new Speculation.Draft(whole(DRAFT), shape(SPECULATION));
        }
        return numbers.containsKey(PROMPT_LOOKUP)
                ? new Speculation.PromptLookup(whole(PROMPT_LOOKUP))
                : new Speculation.None();
    }

    private Optional<Duration> time(String path) {
        return numbers.containsKey(path) ? Optional.of(Duration.ofMillis(large(path))) : Optional.empty();
    }

    private double real(String name, double otherwise) {
        return numbers.getOrDefault(SAMPLING + name, otherwise).doubleValue();
    }

    private int whole(String path) {
        return Math.toIntExact(large(path));
    }

    private long large(String path) {
        Number number = numbers.get(path);
        Checks.that(number != null, "'%s' is missing", path);
        Checks.that(
                number instanceof Integer || number instanceof Long, "'%s' is %s, not a whole number", path, number);
        return number.longValue();
    }
}
