package io.knabla.runtime.openai;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.generation.LatencyObjectives;
import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.Submission;
import io.knabla.runtime.serve.ServedModel;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what requests are refused, and by which sentences. */
class OpenAiFaultsTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String COMPLETIONS = "/v1/completions";
    private static final FakeGenerator generator = new FakeGenerator(Optional.of(FakeGenerator.TEMPLATE));
    private static OpenAiReplica replica;

    @BeforeAll
    static void start() throws Exception {
        generator.script = request -> new Submission.Accepted(new FakeGeneration().end(FinishReason.STOP, 1, 1));
        replica = OpenAiReplica.of(GenerationModel.of(generator, FakeGenerator.KEY_VALUES));
    }

    @AfterAll
    static void stop() {
        replica.close();
    }

    private static HttpResponse<String> chat(String more) throws Exception {
        return replica.call(CHAT, "{'model':'m','messages':[{'role':'user','content':'hi'}]" + more + "}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'n':1000                        | n                 | 'n' is 1000; it must be a whole number from 1 to 8",
                "'n':0                           | n                 | from 1 to 8",
                "'n':'2'                         | n                 | 'n' must be a whole number",
                "'max_tokens':0                  | max_tokens        | 'max_tokens' is 0",
                "'max_tokens':1.5                | max_tokens        | 'max_tokens' is 1.5",
                "'max_tokens':NaN                | max_tokens        | 'max_tokens' is NaN",
                "'temperature':2.1               | temperature       | 'temperature' is 2.1; it must be from 0 to 2",
                "'temperature':'hot'             | temperature       | 'temperature' must be a number",
                "'temperature':Infinity          | temperature       | it must be from 0 to 2",
                "'top_p':0                       | top_p             | 'top_p' is 0",
                "'min_p':2                       | min_p             | 'min_p' is 2",
                "'top_k':-2                      | top_k             | 'top_k' is -2",
                "'presence_penalty':3            | presence_penalty  | it must be from -2 to 2",
                "'repetition_penalty':0          | repetition_penalty | 'repetition_penalty' is 0",
                "'seed':1e30                     | seed              | 'seed' is 1.0E30",
                "'stop':['a','b','c','d','e']    | stop              | at most 4 strings",
                "'stop':['']                     | stop              | each of 1 to 1000 characters",
                "'stop':[1]                      | stop              | 'stop' must be a string",
                "'logit_bias':{'x':1}            | logit_bias        | 'logit_bias' has 'x'",
                "'logit_bias':{'96':1}           | logit_bias        | \\\"0\\\" to \\\"95\\\"",
                "'logit_bias':{'1':101}          | logit_bias        | a number from -100 to 100",
                "'logit_bias':[1]                | logit_bias        | 'logit_bias' must be an object",
                "'top_logprobs':3                | top_logprobs      | needs 'logprobs': true",
                "'logprobs':true,'top_logprobs':21 | top_logprobs    | from 0 to 20",
                "'logprobs':2                    | logprobs          | 'logprobs' must be true or false",
                "'stream_options':{'include_usage':true} | stream_options | needs 'stream': true",
                "'stream':true,'stream_options':{'x':1}  | stream_options | 'stream_options' has 'x'",
                "'response_format':{'type':'xml'} | response_format | must have 'type': \\\"text\\\", \\\"json_object\\\" or \\\"json_schema\\\"",
                "'response_format':'json'        | response_format   | must have 'type'",
                "'response_format':{'type':'text','x':1} | response_format | 'response_format' has 'x'; it may have type",
                "'response_format':{'type':'json_object'} | response_format.json_schema.schema | characters that the model's tokens lack",
                "'guided_json':{}                | guided_json       | write the form of the text as 'response_format'",
                "'tools':[{}]                    | tools             | 'tools': tools are not supported; leave it out",
                "'functions':[{}]                | functions         | tools are not supported",
                "'modalities':['audio']          | modalities        | only text goes in and out",
                "'temprature':1                  | temprature        | 'temprature' is not a known field; the nearest is 'temperature'",
                "'echo':true                     | echo              | the prompt is not repeated",
            })
    void aFieldIsNamed(String field, String param, String sentence) throws Exception {
        HttpResponse<String> answer = chat("," + field);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .contains(sentence)
                .contains("\"type\":\"invalid_request_error\",\"param\":\"" + param + "\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'messages':[]                                       | messages              | a list of 1 to",
                "'messages':'x'                                      | messages              | a list of 1 to",
                "'messages':[1]                                      | messages              | a list of 1 to",
                "'messages':['x']                                    | messages[0]           | must be an object with role and content",
                "'messages':[{'role':'tool','content':'x'}]          | messages[0].role      | tools are not supported",
                "'messages':[{'role':'me','content':'x'}]            | messages[0].role      | must be system, developer, user or assistant",
                "'messages':[{'role':'user'}]                        | messages[0].content   | must be a string or a list",
                "'messages':[{'role':'user','content':5}]            | messages[0].content   | must be a string or a list",
                "'messages':[{'role':'user','content':[{'type':'image_url'}]}] | messages[0].content[0].type | images, audio and files are not supported",
                "'messages':[{'role':'user','content':[{'type':'text'}]}]      | messages[0].content[0].text | must be a string",
                "'messages':[{'role':'assistant','content':'','tool_calls':[{}]}] | messages[0].tool_calls   | a message has role, content and name",
                "'messages':[{'role':'user','content':'refuse'}]     | messages              | no such words, please"
            })
    void aMessageIsNamed(String messages, String param, String sentence) throws Exception {
        HttpResponse<String> answer = replica.call(CHAT, "{'model':'m'," + messages + "}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(sentence).contains("\"param\":\"" + param + "\"");
    }

    @Test
    void allFaultsAreToldAtOnce() throws Exception {
        assertThat(replica.call(CHAT, "{'n':9,'temperature':-1,'tools':[1],'foo':1}")
                        .body())
                .contains("'model' is missing; it names the function: 'm'; 'tools': tools are not supported")
                .contains("'foo' is not a known field")
                .contains("'n' is 9")
                .contains("'temperature' is -1")
                .contains("'messages' must be a list")
                .contains("\"param\":\"model\"");
    }

    @Test
    void anotherModelIsNotFound() throws Exception {
        HttpResponse<String> answer = replica.call(CHAT, "{'model':'gpt-4o','messages':[]}");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body())
                .isEqualTo(
                        "{\"error\":{\"message\":\"model 'gpt-4o' is not served here; this function is 'm'\",\"type\":\"invalid_request_error\",\"param\":\"model\",\"code\":\"model_not_found\"}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "1", "{", "{'a':1}}", "nul", "{'model':1,'model':2}", "[[[["})
    void whatIsNoObjectIsRefused(String body) throws Exception {
        for (String path : new String[] {CHAT, COMPLETIONS, "/tokenize"}) {
            HttpResponse<String> answer = replica.call(path, body);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).startsWith("{\"error\":{\"message\":\"the body ");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'x':1                    | 'prompt' must be a string",
                "'prompt':[]              | 'prompt' must be a string",
                "'prompt':[[1],[2]]       | 'prompt' must be a string",
                "'prompt':['a',1]         | 'prompt' must be a string",
                "'prompt':[96]            | 'prompt' has 96 at 0; the id of a token is 0 to 95",
                "'prompt':[1,0.5]         | 'prompt' has 0.5 at 1",
                "'prompt':[1,null]        | 'prompt' has NaN at 1",
                "'prompt':''              | the prompt has no tokens",
                "'prompt':['a','b'],'n':8 | 2 prompts with 'n' 8 are 16 texts; at most 8",
                "'prompt':'a','best_of':2 | texts are not ranked",
                "'prompt':'a','suffix':'b' | text is not inserted",
                "'prompt':'a','top_logprobs':1 | 'top_logprobs' is not a known field; the nearest is 'logprobs'",
                "'prompt':'a','logprobs':21 | from 0 to 20"
            })
    void aPromptIsRefused(String fields, String sentence) throws Exception {
        HttpResponse<String> answer = replica.call(COMPLETIONS, "{'model':'m'," + fields + "}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(sentence);
    }

    @Test
    void moreTextsThanEverFindRoomAreRefused() throws Exception {
        var small = new FakeGenerator(Optional.of(FakeGenerator.TEMPLATE), LatencyObjectives.NONE, 1, 1);
        small.script = request -> new Submission.Accepted(new FakeGeneration().end(FinishReason.STOP, 1, 1));
        try (var two = OpenAiReplica.of(GenerationModel.of(small, FakeGenerator.KEY_VALUES))) {
            String chat = "{'model':'m','messages':[{'role':'user','content':'hi'}],'n':%d}";
            HttpResponse<String> answer = two.call(CHAT, chat.formatted(3));
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body())
                    .contains(
                            "the request asks for 3 texts, 'n' 3 for each prompt; this function takes at most 2 at once")
                    .contains("\"param\":\"n\"");
            assertThat(two.call(CHAT, chat.formatted(2)).statusCode()).isEqualTo(200);
            assertThat(two.call(COMPLETIONS, "{'model':'m','prompt':['a','b'],'n':2}")
                            .body())
                    .contains("the request asks for 4 texts, 'n' 2 for each prompt");
            assertThat(two.call(COMPLETIONS, "{'model':'m','prompt':['a','b']}").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aPromptBeyondTheContextIsRefused() throws Exception {
        HttpResponse<String> answer = replica.call(COMPLETIONS, "{'model':'m','prompt':'" + "a".repeat(96) + "'}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .contains("the prompt has 96 tokens; the context of the model holds 95 and one more to generate")
                .contains("\"code\":\"context_length_exceeded\"");
        assertThat(replica.call(COMPLETIONS, "{'model':'m','prompt':[" + "1,".repeat(95) + "1]}")
                        .body())
                .contains("context_length_exceeded");
        generator.script = request -> new Submission.PromptTooLong(99, 95);
        assertThat(chat("").body()).contains("context_length_exceeded");
        generator.script = request -> new Submission.Closed();
        assertThat(chat("").statusCode()).isEqualTo(503);
        generator.script = request -> new Submission.Invalid("the seed is odd");
        assertThat(chat("").body()).contains("the seed is odd");
        generator.script = request -> {
            throw new IllegalStateException("a bug");
        };
        HttpResponse<String> bug = chat("");
        assertThat(bug.statusCode()).isEqualTo(500);
        assertThat(bug.body()).contains("\"type\":\"server_error\"").doesNotContain("a bug");
        generator.script = request -> new Submission.Accepted(new FakeGeneration().end(FinishReason.STOP, 1, 1));
    }

    @Test
    @Timeout(300)
    void aPromptOfManyMegabytesIsRefused() throws Exception {
        String large = "a".repeat(10_000_000);
        assertThat(replica.call(COMPLETIONS, "{'model':'m','prompt':'" + large + "'}")
                        .body())
                .contains("the prompt has more than 95 tokens")
                .contains("context_length_exceeded");
        HttpResponse<String> answer =
                replica.call(CHAT, "{'model':'m','messages':[{'role':'user','content':'" + large + "'}]}");
        assertThat(answer.body()).contains("context_length_exceeded").contains("\"param\":\"messages\"");
    }

    @Test
    void loneSurrogatesAreNoFailure() throws Exception {
        assertThat(replica.call(COMPLETIONS, "{'model':'m','prompt':'a\\ud800b'}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(chat(",'user':'\\udc00'").statusCode()).isEqualTo(200);
        assertThat(replica.call(CHAT, "{'model':'\\ud800'}").statusCode()).isEqualTo(404);
    }

    @Test
    void aModelWithoutOrWithAnUnsupportedTemplateHasNoChat() throws Exception {
        try (var without = OpenAiReplica.of(
                        GenerationModel.of(new FakeGenerator(Optional.empty()), FakeGenerator.KEY_VALUES));
                var unsupported = OpenAiReplica.of(GenerationModel.of(
                        new FakeGenerator(Optional.of("{% include 'x' %}")), FakeGenerator.KEY_VALUES))) {
            String body = "{'model':'m','messages':[{'role':'user','content':'hi'}]}";
            assertThat(without.call(CHAT, body).body())
                    .contains("the model has no chat template; call /v1/completions with a prompt");
            assertThat(unsupported.call(CHAT, body).body())
                    .contains("the chat template of the model is not supported (line 1, column 1: tag 'include'");
        }
    }

    @Test
    void aModelThatGeneratesNoTextHasNoneOfThesePaths() throws Exception {
        try (var other = OpenAiReplica.of(new Words())) {
            assertThat(other.get("/v1/models").body()).isEqualTo("{\"models\":[\"m\"]}");
            HttpResponse<String> answer = other.call(CHAT, "{}");
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body())
                    .contains(
                            "there is nothing at /v1/chat/completions: the model that is served here is not called with texts");
        }
        assertThat(replica.call("/v1/embeddings", "{}").body())
                .contains("there is nothing at /v1/embeddings: the model that is served here answers at"
                        + " /v1/chat/completions, /v1/completions, /tokenize");
        assertThat(replica.get(CHAT).statusCode()).isEqualTo(405);
        assertThat(replica.call("/v2/models/m/infer", "{}").statusCode()).isEqualTo(404);
    }

    private record Words() implements ServedModel {
        @Override
        public int running() {
            return 0;
        }

        @Override
        public int waiting() {
            return 0;
        }

        @Override
        public long runs() {
            return 0;
        }

        @Override
        public Duration overdue() {
            return Duration.ZERO;
        }

        @Override
        public void close() {}
    }
}
