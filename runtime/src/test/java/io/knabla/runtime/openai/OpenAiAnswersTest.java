package io.knabla.runtime.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GeneratedToken.TokenLogprob;
import io.knabla.runtime.generation.GenerationFailure.Kind;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Submission;
import io.knabla.runtime.generation.loop.TestTokenizer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the forms of OpenAI's answers. */
class OpenAiAnswersTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String HI = "'model':'m','messages':[{'role':'user','content':'hi'}]";

    private final FakeGenerator generator = new FakeGenerator(Optional.of(FakeGenerator.TEMPLATE));
    private OpenAiReplica replica;

    @BeforeEach
    void start() throws Exception {
        replica = OpenAiReplica.of(GenerationModel.of(generator, FakeGenerator.KEY_VALUES));
    }

    @AfterEach
    void stop() {
        replica.close();
    }

    private static FakeGeneration hello() {
        return new FakeGeneration()
                .piece("a", TestTokenizer.letters("a")[0])
                .piece("\"é\n", TestTokenizer.letters("b")[0])
                .end(FinishReason.STOP, 3, 2);
    }

    /** Identifiers and times as X. */
    private static String fixed(String body) {
        return body.replaceAll("(cmpl-)[0-9a-f]{32}", "$1X")
                .replaceAll("\"created\":\\d{10}", "\"created\":X")
                .replace('"', '\'');
    }

    @Test
    void aChatCompletionIsToldWhole() throws Exception {
        generator.answer(hello());
        HttpResponse<String> answer = replica.call(CHAT, "{" + HI + ",'seed':5,'stop':['x'],'max_tokens':9}");
        assertThat(fixed(answer.body()))
                .isEqualTo(
                        "{'id':'chatcmpl-X','object':'chat.completion','created':X,'model':'m','choices':[{'index':0,"
                                + "'message':{'role':'assistant','content':'a\\'é\\u000a','refusal':null},'logprobs':null,"
                                + "'finish_reason':'stop'}],'usage':{'prompt_tokens':3,'completion_tokens':2,"
                                + "'total_tokens':5,'prompt_tokens_details':{'cached_tokens':1}}}");
        assertThat(answer.statusCode()).isEqualTo(200);
        GenerationRequest request = generator.requests.getFirst();
        assertThat(request.prompt()).isEqualTo(TestTokenizer.letters("hiz"));
        assertThat(request.maxTokens()).isEqualTo(9);
        assertThat(request.stop()).containsExactly("x");
        assertThat(request.sampling().seed()).isEqualTo(5);
        assertThat(request.sampling().temperature()).isEqualTo(0.7);
        assertThat(request.sampling().topK()).isEqualTo(5);
        assertThat(replica.get("/metrics").body())
                .contains("counter=\"generated_tokens\"} 2")
                .contains("counter=\"prompt_tokens\"} 3");
    }

    @Test
    void optionsAreReadAsTheyAreMeant() throws Exception {
        generator.answer(new FakeGeneration().end(FinishReason.LENGTH, 3, 1));
        HttpResponse<String> answer = replica.call(
                CHAT,
                "{" + HI + ",'temperature':0,'top_p':0.5,'top_k':-1,'min_p':0.1,'presence_penalty':1,"
                        + "'frequency_penalty':-1.5,'repetition_penalty':1.2,'logit_bias':{'7':-100},'seed':-9223372036854775808,"
                        + "'max_completion_tokens':2147483647,'user':'u','metadata':{},'store':false,'tools':null,"
                        + "'response_format':{'type':'text'},'stop':null,'n':1}");
        assertThat(answer.body()).contains("\"finish_reason\":\"length\"");
        GenerationRequest request = generator.requests.getFirst();
        assertThat(request.maxTokens()).isEqualTo(FakeGenerator.CONTEXT);
        var sampling = request.sampling();
        assertThat(List.of(sampling.temperature(), sampling.topP(), sampling.minP()))
                .containsExactly(0.0, 0.5, 0.1);
        assertThat(sampling.topK()).isZero();
        assertThat(sampling.seed()).isEqualTo(Long.MIN_VALUE);
        assertThat(sampling.logitBias()).isEqualTo(Map.of(7, -100f));
        assertThat(sampling.penalties().repetition()).isEqualTo(1.2);
        assertThat(sampling.penalties().frequency()).isEqualTo(-1.5);
    }

    @Test
    void partsOfTextAndRolesAreRendered() throws Exception {
        generator.answer(new FakeGeneration().end(FinishReason.STOP, 3, 1));
        replica.call(
                CHAT,
                "{'model':'m','messages':[{'role':'developer','content':[{'type':'text','text':'ab'}]},"
                        + "{'role':'assistant','content':null},{'role':'user','name':'n','content':'c'}]}");
        assertThat(generator.requests.getFirst().prompt()).isEqualTo(TestTokenizer.letters("abcz"));
    }

    @Test
    void logprobsOfAChatAreTold() throws Exception {
        generator.answer(hello());
        String body = replica.call(CHAT, "{" + HI + ",'logprobs':true,'top_logprobs':2}")
                .body();
        assertThat(generator.requests.getFirst().logprobs()).isEqualTo(2);
        assertThat(fixed(body))
                .contains(
                        "'logprobs':{'content':[{'token':'a','logprob':-0.5,'bytes':[97],'top_logprobs':[{'token':'a',"
                                + "'logprob':-0.5,'bytes':[97]},{'token':'b','logprob':-9999.0,'bytes':[98]}]},{'token':'b'");
    }

    @Test
    void partsOfACharacterHaveBytesOfTheirOwn() throws Exception {
        int euro = TestTokenizer.EURO;
        generator.answer(new FakeGeneration()
                .piece("", euro)
                .piece("", euro + 1)
                .piece("€", euro + 2)
                .end(FinishReason.STOP, 3, 3));
        String body = replica.call(CHAT, "{" + HI + ",'logprobs':true,'top_logprobs':2}")
                .body();
        assertThat(fixed(body))
                .contains("'bytes':[226],'top_logprobs':[{'token':'\ufffd','logprob':-0.5,'bytes':[226]}")
                .contains("'bytes':[130],'top_logprobs'")
                .contains("'bytes':[172],'top_logprobs'");
    }

    @Test
    void aCompletionIsToldWhole() throws Exception {
        generator.answer(hello());
        String body = replica.call("/v1/completions", "{'model':'m','prompt':'hi','logprobs':1}")
                .body();
        assertThat(fixed(body))
                .isEqualTo(
                        "{'id':'cmpl-X','object':'text_completion','created':X,'model':'m','choices':[{'index':0,'text':'a\\'é\\u000a',"
                                + "'logprobs':{'tokens':['a','b'],'token_logprobs':[-0.5,-0.5],'top_logprobs':[{'a':-0.5,'b':-9999.0},{'b':-0.5}],"
                                + "'text_offset':[0,1]},'finish_reason':'stop'}],'usage':{'prompt_tokens':3,'completion_tokens':2,'total_tokens':5,"
                                + "'prompt_tokens_details':{'cached_tokens':1}}}");
        assertThat(generator.requests.getFirst().maxTokens()).isEqualTo(16);
    }

    @Test
    void aChosenTokenThatIsNotAmongTheLikeliestOfACompletionIsToldToo() throws Exception {
        int[] ids = TestTokenizer.letters("ac");
        var unlikely = new GeneratedToken(ids[1], -3, List.of(new TokenLogprob(ids[0], -0.25f)));
        generator.answer(new FakeGeneration().piece("c", unlikely).end(FinishReason.STOP, 3, 1));
        assertThat(fixed(replica.call("/v1/completions", "{'model':'m','prompt':'hi','logprobs':1}")
                        .body()))
                .contains("'top_logprobs':[{'a':-0.25,'c':-3.0}]");
        generator.answer(new FakeGeneration().piece("c", unlikely).end(FinishReason.STOP, 3, 1));
        assertThat(fixed(replica.call(CHAT, "{" + HI + ",'logprobs':true,'top_logprobs':1}")
                        .body()))
                .contains("'top_logprobs':[{'token':'a','logprob':-0.25,'bytes':[97]}]}");
    }

    @Test
    void severalPromptsHaveSeveralTextsEach() throws Exception {
        generator.script = request -> new Submission.Accepted(hello());
        String body = replica.call("/v1/completions", "{'model':'m','prompt':['h','i'],'n':2,'seed':1}")
                .body();
        assertThat(body).contains("\"index\":3").contains("\"prompt_tokens\":6,\"completion_tokens\":8");
        assertThat(generator.requests)
                .extracting(request -> request.sampling().seed())
                .containsExactly(1L, 2L, 1L, 2L);
        assertThat(replica.call("/v1/completions", "{'model':'m','prompt':[13, 14]}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(generator.requests.getLast().prompt()).containsExactly(13, 14);
    }

    @Test
    void aStreamHasARoleThenTextsThenUsageThenItsEnd() throws Exception {
        generator.answer(hello());
        HttpResponse<String> answer =
                replica.call(CHAT, "{" + HI + ",'stream':true,'stream_options':{'include_usage':true}}");
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
        String start = "data: {'id':'chatcmpl-X','object':'chat.completion.chunk','created':X,'model':'m','choices':[";
        assertThat(fixed(answer.body()).split("\n\n"))
                .containsExactly(
                        start
                                + "{'index':0,'delta':{'role':'assistant','content':''},'logprobs':null,'finish_reason':null}],'usage':null}",
                        start
                                + "{'index':0,'delta':{'content':'a'},'logprobs':null,'finish_reason':null}],'usage':null}",
                        start
                                + "{'index':0,'delta':{'content':'\\'é\\u000a'},'logprobs':null,'finish_reason':null}],'usage':null}",
                        start + "{'index':0,'delta':{},'logprobs':null,'finish_reason':'stop'}],'usage':null}",
                        start
                                + "],'usage':{'prompt_tokens':3,'completion_tokens':2,'total_tokens':5,'prompt_tokens_details':{'cached_tokens':1}}}",
                        "data: [DONE]");
    }

    @Test
    void aStreamOfCompletionsHasNoRole() throws Exception {
        generator.answer(hello());
        String body = replica.call("/v1/completions", "{'model':'m','prompt':'hi','stream':true}")
                .body();
        assertThat(fixed(body))
                .startsWith(
                        "data: {'id':'cmpl-X','object':'text_completion','created':X,'model':'m','choices':[{'index':0,'text':'a',")
                .endsWith("'text':'','logprobs':null,'finish_reason':'stop'}]}\n\ndata: [DONE]\n\n");
    }

    @Test
    void eachEventIsSentAtOnce() throws Exception {
        var generation = new FakeGeneration();
        generator.answer(generation.piece("a", 6));
        var answer = replica.client.sendAsync(
                replica.post(CHAT, "{" + HI + ",'stream':true}"), HttpResponse.BodyHandlers.ofInputStream());
        var lines = new BufferedReader(new InputStreamReader(answer.get().body(), StandardCharsets.UTF_8));
        assertThat(lines.readLine()).contains("assistant");
        lines.readLine();
        assertThat(lines.readLine()).contains("\"content\":\"a\"");
        lines.readLine();
        generation.piece("b", 7);
        assertThat(lines.readLine()).contains("\"content\":\"b\"");
        generation.end(FinishReason.STOP, 1, 2);
    }

    @Test
    void aFailureBeforeTheFirstEventHasAStatus() throws Exception {
        generator.answer(new FakeGeneration().fail(Kind.WAITED_TOO_LONG));
        HttpResponse<String> answer = replica.call(CHAT, "{" + HI + ",'stream':true}");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.body())
                .isEqualTo(
                        "{\"error\":{\"message\":\"it failed; call again\",\"type\":\"server_error\",\"param\":null,\"code\":null}}");
        generator.answer(new FakeGeneration().piece("a", 6).fail(Kind.ENGINE));
        assertThat(replica.call(CHAT, "{" + HI + "}").statusCode()).isEqualTo(500);
        generator.answer(new FakeGeneration().fail(Kind.NOT_FINITE));
        assertThat(replica.call(CHAT, "{" + HI + "}").statusCode()).isEqualTo(422);
    }

    @Test
    void aFailureLaterIsAnEventAndNoEnd() throws Exception {
        generator.answer(new FakeGeneration().piece("a", 6).fail(Kind.ENGINE));
        HttpResponse<String> answer = replica.call(CHAT, "{" + HI + ",'stream':true}");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .contains("\"content\":\"a\"")
                .endsWith(
                        "data: {\"error\":{\"message\":\"it failed; call again\",\"type\":\"server_error\",\"param\":null,\"code\":null}}\n\n")
                .doesNotContain("[DONE]");
        assertThat(replica.get("/metrics").body()).contains("reason=\"BACKEND\"} 1");
    }

    @Test
    void aFullQueueSaysWhenToCallAgainAndLeavesNothingRunning() throws Exception {
        var first = new FakeGeneration();
        generator.script = request -> generator.requests.size() == 1
                ? new Submission.Accepted(first)
                : new Submission.QueueFull(Duration.ofSeconds(7));
        HttpResponse<String> answer = replica.call(CHAT, "{" + HI + ",'n':3}");
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Retry-After")).contains("7");
        assertThat(answer.body()).contains("\"type\":\"rate_limit_error\"");
        assertThat(first.cancelled.await(2, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void aFailureToBeginATextLeavesNothingRunning() throws Exception {
        var first = new FakeGeneration();
        generator.script = request -> {
            if (generator.requests.size() == 1) {
                return new Submission.Accepted(first);
            }
            throw new StackOverflowError();
        };
        assertThat(replica.call(CHAT, "{" + HI + ",'n':3}").statusCode()).isEqualTo(500);
        assertThat(first.cancelled.await(2, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void whenTheClientLeavesTheTextEnds() throws Exception {
        var generation = new FakeGeneration();
        generator.answer(generation.piece("a", 6));
        String body = ("{" + HI + ",'stream':true}").replace('\'', '"');
        try (var socket = new Socket("127.0.0.1", replica.port)) {
            socket.getOutputStream()
                    .write(("POST " + CHAT + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                    + body)
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isPositive();
        }
        assertThat(generation.cancelled.await(2, TimeUnit.MINUTES)).isTrue();
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(replica.get("/metrics").body())
                        .as("its tokens were computed")
                        .contains("counter=\"generated_tokens\"} 1"));
    }

    @Test
    void modelsAreListedAsOpenAiDoes() throws Exception {
        assertThat(fixed(replica.get("/v1/models").body()))
                .isEqualTo("{'object':'list','data':[{'id':'m','object':'model','created':X,'owned_by':'knabla'}]}");
    }

    @Test
    void tokensAreTold() throws Exception {
        assertThat(replica.call("/tokenize", "{'prompt':'abc'}").body())
                .isEqualTo("{\"count\":3,\"max_model_len\":96,\"tokens\":[6,7,8]}");
        assertThat(replica.call("/tokenize", "{'messages':[{'role':'user','content':'a'}],'model':'m'}")
                        .body())
                .isEqualTo("{\"count\":2,\"max_model_len\":96,\"tokens\":[6,31]}");
        assertThat(replica.call(
                                "/tokenize",
                                "{'messages':[{'role':'user','content':'a'}],'add_generation_prompt':false}")
                        .body())
                .contains("\"tokens\":[6]");
        assertThat(replica.call("/tokenize", "{}").statusCode()).isEqualTo(400);
    }
}
