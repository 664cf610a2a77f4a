package io.knabla.runtime.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import io.knabla.functions.chat.ChatTemplate;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.runtime.generation.grammar.SchemaJudge;
import io.knabla.runtime.generation.loop.JsonTokenizer;
import io.knabla.runtime.generation.loop.TestUnits;
import io.knabla.runtime.generation.loop.TextGenerator;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code response_format} with a small model. */
class OpenAiSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SEQUENCES = 4;
    private static final int CONTEXT = 512;
    private static final String SCHEMA =
            "{'type':'object','properties':{'name':{'type':'string','maxLength':5},'age':{'type':['integer','null'],'minimum':0}},"
                    + "'required':['name','age'],'additionalProperties':false}";

    @TempDir
    private static Path folder;

    private static GenerationModel model;
    private static OpenAiReplica replica;

    @BeforeAll
    static void start() throws Exception {
        var limits = new TestUnits.Limits(CONTEXT, SEQUENCES, SEQUENCES * CONTEXT);
        Path unit = TestUnits.write(folder, "llama", new Precision.Float32(), limits, JsonTokenizer.table());
        model = new GenerationModel(
                TextGenerator.open(unit, 1),
                Optional.of(ChatTemplate.parse(FakeGenerator.TEMPLATE)),
                FakeGenerator.KEY_VALUES);
        replica = OpenAiReplica.of(model);
    }

    @AfterAll
    static void stop() {
        replica.close();
        model.close();
    }

    private static String format(String schema) {
        return "'response_format':{'type':'json_schema','json_schema':{'name':'person','strict':true,'schema':" + schema
                + "}}";
    }

    private static HttpResponse<String> complete(String more) throws Exception {
        return replica.call("/v1/completions", "{'model':'m','prompt':'hello','max_tokens':500,'seed':5," + more + "}");
    }

    private static List<String> texts(String more) throws Exception {
        HttpResponse<String> answer = complete(more);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        List<String> texts = new ArrayList<>();
        for (JsonNode choice : JSON.readTree(answer.body()).get("choices")) {
            assertThat(choice.get("finish_reason").asText()).isEqualTo("stop");
            texts.add(choice.get("text").asText());
        }
        return texts;
    }

    @Test
    void textsOfASchemaAreValid() throws Exception {
        List<String> texts = texts("'n':4," + format(SCHEMA));
        assertThat(texts).doesNotHaveDuplicates().hasSize(4);
        assertThat(texts)
                .allSatisfy(text -> assertThat(SchemaJudge.faults(SCHEMA.replace('\'', '"'), text))
                        .isEmpty());
        assertThat(texts("'n':4," + format(SCHEMA))).isEqualTo(texts);
        assertThat(texts("'logprobs':2," + format(SCHEMA)).getFirst()).isEqualTo(texts.getFirst());
    }

    @Test
    void theJudgeTellsWhatIsWrong() {
        assertThat(SchemaJudge.faults(SCHEMA.replace('\'', '"'), "{\"name\":\"abcdef\",\"age\":-1}"))
                .hasSize(2);
        assertThat(SchemaJudge.faults("{}", "{\"a\":1} x")).isNotEmpty();
    }

    enum Colour {
        RED,
        GREEN
    }

    /** A class whose schema openai-java writes, and whose objects it makes of texts. */
    static final class Car {
        public Colour colour;
        public Optional<Integer> doors;
        public List<Colour> stripes;
    }

    @Test
    void openAisClientReadsObjectsOfItsClasses() {
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl("http://127.0.0.1:%d/v1".formatted(replica.port))
                .apiKey("unused")
                .maxRetries(0)
                .build();
        var answer = client.chat()
                .completions()
                .create(ChatCompletionCreateParams.builder()
                        .model("m")
                        .addUserMessage("hello")
                        .putAdditionalBodyProperty("seed", JsonValue.from(7))
                        .responseFormat(Car.class)
                        .build());
        Car car = answer.choices().getFirst().message().content().orElseThrow();
        assertThat(car.colour).isNotNull();
        assertThat(car.doors).isNotNull();
        assertThat(car.stripes).doesNotContainNull();
        client.close();
    }

    @Test
    void aTextOfJsonIsAnObject() throws Exception {
        HttpResponse<String> answer = complete("'temperature':0,'response_format':{'type':'json_object'}");
        assertThat(JSON.readTree(answer.body()).at("/choices/0/text").asText()).startsWith("{");
    }

    @Test
    void aStopTextCutsTheValue() throws Exception {
        String whole = texts(format(SCHEMA)).getFirst();
        assertThat(texts("'stop':':'," + format(SCHEMA)).getFirst()).isEqualTo(whole.substring(0, whole.indexOf(':')));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'type':'json_schema'} | response_format.json_schema | must be an object with name and schema",
                "{'type':'json_schema','json_schema':{'schema':{}}} | response_format.json_schema.name | must be 1 to 64 letters",
                "{'type':'json_schema','json_schema':{'name':'a b','schema':{}}} | response_format.json_schema.name | must be 1 to 64 letters",
                "{'type':'json_schema','json_schema':{'name':'a'}} | response_format.json_schema.schema | must be an object",
                "{'type':'json_schema','json_schema':{'name':'a','strict':1,'schema':{}}} | response_format.json_schema.strict | must be true or false",
                "{'type':'json_schema','json_schema':{'name':'a','schema':{'type':'object','minProperties':1}}} | response_format.json_schema.schema | the schema at #/minProperties: this keyword is not supported",
                "{'type':'json_schema','json_schema':{'name':'a','x':1,'schema':{}}} | response_format.json_schema | may have description, name, schema, strict",
                "{'type':'json_schema','json_schema':{'name':'a','strict':true,'schema':{'type':'object','properties':{'b':{}}}}} | response_format.json_schema.schema | #/additionalProperties: with 'strict': true it must be there",
            })
    void aFaultIsNamed(String format, String param, String sentence) throws Exception {
        HttpResponse<String> answer = complete("'response_format':" + format);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(sentence).contains("\"param\":\"" + param + "\"");
    }

    @Test
    void allFaultsAreToldAtOnce() throws Exception {
        String body = complete("'n':0," + format("{'type':'object','properties':{'b':{'tipe':1}}}"))
                .body();
        assertThat(body).contains("'n' is 0", "#/additionalProperties", "#/required", "#/properties/b/tipe");
    }

    @Test
    void whatIsFarTooLargeIsRefused() throws Exception {
        String deep = "{'items':".repeat(1000) + "{}" + "}".repeat(1000);
        String wide = IntStream.range(0, 100_000).mapToObj(Integer::toString).collect(Collectors.joining(","));
        String endless = "'" + "x".repeat(10_000_000) + "'";
        for (String schema : List.of(deep, "{'enum':[" + wide + "]}", "{'const':" + endless + "}")) {
            HttpResponse<String> answer = complete(format(schema));
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("\"message\":\"").hasSizeLessThan(2000);
        }
    }
}
