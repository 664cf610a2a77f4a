package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** KServe's V1 protocol. */
class PredictTest {
    private static RunningReplica one;
    private static RunningReplica two;
    private static RunningReplica texts;

    @BeforeAll
    static void start() throws IOException {
        one = new RunningReplica(Onnx.dynamic(), RunningReplica.PLAIN);
        two = new RunningReplica(
                new Onnx()
                        .input("a", ElementType.FLOAT, "n", 2)
                        .input("b", ElementType.INT64, "n")
                        .output("c", ElementType.FLOAT, "n", 2)
                        .output("d", ElementType.INT64, "n")
                        .node("Add", List.of("a", "a"), "c")
                        .node("Add", List.of("b", "b"), "d")
                        .build(),
                RunningReplica.PLAIN);
        texts = new RunningReplica(TestModels.identity(ElementType.STRING), RunningReplica.PLAIN);
    }

    @AfterAll
    static void stop() throws IOException {
        one.close();
        two.close();
        texts.close();
    }

    private static HttpResponse<String> predict(RunningReplica replica, String body) throws Exception {
        return replica.client()
                .send(
                        replica.request("/v1/models/m:predict")
                                .POST(RunningReplica.body(body))
                                .build(),
                        BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'instances':[[1,2],[3,4]]}                 | {'predictions':[[2.0,4.0],[6.0,8.0]]}",
                "{'instances':[{'x':[1,2]},{'x':[3,4]}]}     | {'predictions':[[2.0,4.0],[6.0,8.0]]}",
                "{'inputs':[[1,2],[3,4]]}                    | {'outputs':[[2.0,4.0],[6.0,8.0]]}",
                "{'inputs':{'x':[[1,2]]}}                    | {'outputs':[[2.0,4.0]]}",
                "{'instances':[[1,2]],'inputs':null,'id':null} | {'predictions':[[2.0,4.0]]}",
                "\uFEFF{'instances':[[1,2]]}                  | {'predictions':[[2.0,4.0]]}",
                "{'instances':[[NaN,'Infinity']],'signature_name':'serving_default'} | {'predictions':[['NaN','Infinity']]}"
            })
    void rowsAndColumnsOfAModelWithOneInput(String request, String answer) throws Exception {
        assertThat(predict(one, request).body()).isEqualTo(answer.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'instances':[{'a':[1,2],'b':3},{'b':4,'a':[5,6]}]} | {'predictions':[{'c':[2.0,4.0],'d':6},{'c':[10.0,12.0],'d':8}]}",
                "{'inputs':{'a':[[1,2],[5,6]],'b':[3,4]}}            | {'outputs':{'c':[[2.0,4.0],[10.0,12.0]],'d':[6,8]}}"
            })
    void rowsAndColumnsOfAModelWithSeveralInputs(String request, String answer) throws Exception {
        assertThat(predict(two, request).body()).isEqualTo(answer.replace('\'', '"'));
    }

    @Test
    void textsStayTexts() throws Exception {
        assertThat(predict(texts, "{'instances':['NaN','b']}").body()).isEqualTo("{\"predictions\":[\"NaN\",\"b\"]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'instances':[{'b64':'8J+YgA=='},'b']}         | {'predictions':['😀','b']}",
                "{'instances':['b',{'b64':''}]}                 | {'predictions':['b','']}",
                "{'instances':[{'x':{'b64':'YQ=='}},{'x':'b'}]} | {'predictions':['a','b']}",
                "{'inputs':{'x':[{'b64':'YQ=='}]}}              | {'outputs':['a']}",
                "{'inputs':[{'b64':'YQ=='}]}                    | {'outputs':['a']}"
            })
    void textsMayBeInBase64(String request, String answer) throws Exception {
        assertThat(predict(texts, request).body()).isEqualTo(answer.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'instances':[{'b64':'****'}]}         | that is not Base64 (RFC 4648, section 4): Illegal base64 character 2a",
                "{'instances':[{'b64':7}]}              | that is no text; write its bytes in Base64",
                "{'instances':[{'b64':'/w=='}]}         | has an element that is not UTF-8",
                "{'instances':[{'b64':'YQ==','x':'b'}]} | unknown input 'b64'"
            })
    void saysWhatIsWrongWithBase64(String request, String sentence) throws Exception {
        HttpResponse<String> answer = predict(texts, request);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(sentence);
    }

    @Test
    void numbersAreNotInBase64() throws Exception {
        assertThat(predict(one, "{'instances':[[{'b64':'YQ=='},{'b64':'YQ=='}]]}")
                        .body())
                .contains("input 'x' is FP32, but holds {\\\"b64\\\": …}, which is for texts (BYTES)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}                                       | either 'instances'",
                "{'instances':[[1]],'inputs':[[1]]}       | either 'instances'",
                "[1]                                      | either 'instances'",
                "{'instances':null,'inputs':null}         | either 'instances'",
                "{'instances':[[1]]                       | the body is not JSON",
                "{'instances':[]}                         | at least one row",
                "{'instances':3}                          | at least one row",
                "{'instances':[{'a':[1,2]},{'b':1}]}      | instance 1 has other inputs than the first, which has [a]",
                "{'instances':[[1,2]]}                    | this model has 2 inputs",
                "{'instances':[{'a':[1,2]}]}              | input 'b' is missing",
                "{'instances':[{'a':[1,2],'z':1}]}        | unknown input 'z'",
                "{'inputs':{'a':[[1,2],[3]],'b':[1,2]}}   | input 'a' is ragged",
                "{'inputs':{'a':[[1,2,3]],'b':[1]}}       | shape [1, 3]",
                "{'inputs':{'a':[[1,2]],'b':[1.5]}}       | input 'b' holds 1.5 at element 0, which is no INT64",
                "{'inputs':{'a':[['x',2]],'b':[1]}}       | input 'a' holds a text at element 0",
                "{'inputs':{'a':[{'x':2}],'b':[1]}}       | holds an object",
                "{'inputs':{'a':[[1,2]],'b':[1,2]}}       | dimension 'n' is 1 in input 'a' but 2"
            })
    void saysWhatIsWrong(String request, String sentence) throws Exception {
        HttpResponse<String> answer = predict(two, request);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(sentence);
    }

    /** Two looks at the first item of each array are 2^70 at this depth. */
    @Test
    @Timeout(60)
    void refusesDeepArraysAtOnce() throws Exception {
        String deep = "{'instances':" + "[".repeat(70) + "'a'" + "]".repeat(70) + "}";
        HttpResponse<String> answer = predict(texts, deep);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("input 'x' has shape [1, 1, 1, ");
    }

    @Test
    void listsItsModel() throws Exception {
        assertThat(one.get("/v1/models").body()).isEqualTo("{\"models\":[\"m\"]}");
        assertThat(one.get("/v1/models/m").body()).isEqualTo("{\"name\":\"m\",\"ready\":true}");
        assertThat(one.get("/v1/models/m:predict").statusCode()).isEqualTo(405);
        assertThat(one.get("/v1/models/other").statusCode()).isEqualTo(404);
    }
}
