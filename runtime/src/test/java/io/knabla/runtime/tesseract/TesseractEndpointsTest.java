package io.knabla.runtime.tesseract;

import static io.knabla.functions.compiler.onnx.ElementType.BOOL;
import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static io.knabla.functions.compiler.onnx.ElementType.INT64;
import static io.knabla.functions.compiler.onnx.ElementType.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.runtime.json.Json;
import io.knabla.runtime.units.AnalyticModels;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what the endpoints reject, and which endpoints functions without gradients have. */
class TesseractEndpointsTest {
    private static TestUnit unit;
    private static TestReplica replica;

    @BeforeAll
    static void start() throws Exception {
        unit = AnalyticModels.tanh();
        replica = new TestReplica(unit);
    }

    @AfterAll
    static void stop() throws Exception {
        replica.close();
        unit.close();
    }

    @ParameterizedTest(name = "{1} {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    /apply | {                                    | 422 | json_invalid | not JSON
                    /apply | ``                                   | 422 | json_invalid | the body is empty
                    /apply | {} {}                                | 422 | json_invalid | something follows
                    /apply | {'inputs':{'x':[[1,2,3]]},'inputs':{}} | 422 | json_invalid | Duplicate
                    /apply | [1]                                  | 422 | model_attributes_type | body: expected an object
                    /apply | {}                                   | 422 | missing | body.inputs: Field required
                    /apply | {'inputs':[1]}                       | 422 | model_attributes_type | body.inputs: expected an object
                    /apply | {'inputs':{}}                        | 422 | missing | body.inputs.x: Field required
                    /apply | {'inputs':{'x':[[1,2,3]],'z':1}}     | 422 | extra_forbidden | body.inputs.z: the model has no input 'z'
                    /apply | {'inputs':{'x':[[1,2,3]]},'foo':1}   | 422 | extra_forbidden | body.foo: Extra inputs
                    /apply | {'inputs':{'x':[[1,2],[3]]}}         | 422 | array_non_numeric | ragged
                    /apply | {'inputs':{'x':[[1,'x',3]]}}         | 422 | array_non_numeric | no number
                    /apply | {'inputs':{'x':[1,2,3]}}             | 422 | array_shape_mismatch | Expected shape: (None, 3). Found: (3).
                    /apply | {'inputs':{'x':'hello'}}             | 422 | array_non_numeric | expected an array
                    /apply | {'inputs':{'x':{'shape':[1,3],'dtype':'float31','data':{'buffer':[1,2,3],'encoding':'json'}}}} | 422 | array_dtype_unknown | none of bool
                    /apply | {'inputs':{'x':{'shape':[1,-3],'dtype':'float32','data':{'buffer':[1,2,3],'encoding':'json'}}}} | 422 | array_shape_invalid | no list of sizes
                    /apply | {'inputs':{'x':{'shape':[1,3],'dtype':'float32','data':{'buffer':[1,2],'encoding':'json'}}}} | 422 | array_decode_error | holds 2 elements, its shape (1, 3) needs 3
                    /apply | {'inputs':{'x':{'shape':[1,3],'dtype':'float32','data':{'buffer':'AAAA','encoding':'base64'}}}} | 422 | array_decode_error | holds 0.75 elements
                    /apply | {'inputs':{'x':{'shape':[1,3],'dtype':'float32','data':{'buffer':'?','encoding':'base64'}}}} | 422 | array_decode_error | not base64
                    /apply | {'inputs':{'x':{'shape':[1,3],'dtype':'float32','data':{'buffer':'file','encoding':'binref'}}}} | 422 | array_decode_error | send json or base64
                    /apply | {'inputs':{'x':{'shape':[1,3],'dtype':'float32','data':{'buffer':'','encoding':'base64','compression':'lz4'}}}} | 422 | array_decode_error | compression is not supported
                    /jacobian | {'inputs':{'x':[[1,2,3]]},'jac_inputs':['q'],'jac_outputs':['y']} | 422 | literal_error | body.jac_inputs.0: Input should be one of [x], found 'q'
                    /jacobian | {'inputs':{'x':[[1,2,3]]},'jac_inputs':[],'jac_outputs':['y']}    | 422 | too_short | at least one name
                    /jacobian | {'inputs':{'x':[[1,2,3]]},'jac_inputs':'x','jac_outputs':['y']}   | 422 | list_type | a list of names
                    /vector_jacobian_product | {'inputs':{'x':[[1,2,3]]},'vjp_inputs':['x'],'vjp_outputs':['y'],'cotangent_vector':{}} | 422 | value_error | its keys must be [y], found []
                    /vector_jacobian_product | {'inputs':{'x':[[1,2,3]]},'vjp_inputs':['x'],'vjp_outputs':['y'],'cotangent_vector':{'y':[[1,2]],'s':1}} | 422 | value_error | its keys must be [y], found [s, y]
                    /vector_jacobian_product | {'inputs':{'x':[[1,2,3]]},'vjp_inputs':['x'],'vjp_outputs':['y'],'cotangent_vector':{'y':[1,2]}} | 422 | array_shape_mismatch | body.cotangent_vector.y: Expected shape: (1, 2). Found: (2).
                    /vector_jacobian_product | {'inputs':{'x':[[1,2,3]]},'vjp_inputs':['x'],'vjp_outputs':['y']} | 422 | missing | body.cotangent_vector: Field required
                    /jacobian_vector_product | {'inputs':{'x':[[1,2,3]]},'jvp_inputs':['x'],'jvp_outputs':['y'],'tangent_vector':{'x':[[1,2]]}} | 422 | array_shape_mismatch | Expected shape: (1, 3)
                    /abstract_eval | {'inputs':{'x':{'shape':[2,4],'dtype':'float32'}}} | 422 | array_shape_mismatch | Expected shape: (None, 3). Found: (2, 4).
                    /abstract_eval | {'inputs':{'x':[[1,2,3]]}}   | 422 | value_error | expected a shape and a dtype
                    """)
    void refuses(String path, String body, int status, String type, String why) throws Exception {
        HttpResponse<String> answer = replica.post(path, body);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains("{\"type\":\"" + type + "\",\"loc\":[\"body\"");
        Json error = ((Json.Fields) TesseractEndpointsReplayTest.parse(answer.body()))
                .byName()
                .get("error");
        assertThat(((Json.Text) error).text()).contains(why);
    }

    @Test
    void reportsAllFaultsAtOnce() throws Exception {
        HttpResponse<String> answer = replica.post(
                "/vector_jacobian_product",
                "{'inputs':{'x':[[1]],'a':{'b':1}},'vjp_inputs':['q'],'vjp_outputs':['y'],'cotangent_vector':{'z':1},'more':2}");
        assertThat(answer.body())
                .contains(
                        "\"loc\":[\"body\",\"inputs\",\"x\"]",
                        "\"loc\":[\"body\",\"inputs\",\"a\",\"b\"]",
                        "\"loc\":[\"body\",\"vjp_inputs\",0]",
                        "\"loc\":[\"body\",\"cotangent_vector\"]",
                        "\"loc\":[\"body\",\"more\"]");
    }

    /** An answer that told all of these would have gigabytes: each fault repeats the names above it. */
    @Test
    void tellsAHundredFaultsAndCountsTheOthers() throws Exception {
        String leaves = IntStream.range(0, 9000).mapToObj("'%d':0"::formatted).collect(Collectors.joining(","));
        String names = IntStream.range(0, 9000).mapToObj("'%d'"::formatted).collect(Collectors.joining(","));
        String long1000 = "a".repeat(1000);
        String deep = ("{'" + long1000 + "':").repeat(60) + "{" + leaves + "}" + "}".repeat(60);
        for (String body : List.of(
                "{'inputs':" + deep + "}",
                "{'inputs':{'x':[[1,2,3]]},'jac_outputs':['y'],'jac_inputs':[" + names + "]}",
                "{'inputs':{'x':[[1,2,3]]},'jac_outputs':['y'],'jac_inputs':['x']," + leaves + "}")) {
            HttpResponse<String> answer = replica.post(body.contains("jac") ? "/jacobian" : "/apply", body);
            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body())
                    .containsPattern("\"msg\":\"and 890[01] more faults\"")
                    .hasSizeLessThan(2 << 20);
        }
        String vector = "'vjp_inputs':['x'],'vjp_outputs':['y'],'cotangent_vector':" + deep;
        HttpResponse<String> answer =
                replica.post("/vector_jacobian_product", "{'inputs':{'x':[[1,2,3]]}," + vector + "}");
        assertThat(answer.body()).contains("its keys must be [y], found [aaa").hasSizeLessThan(1000);
    }

    @Test
    void namesOfFieldsAreShort() throws Exception {
        HttpResponse<String> answer = replica.post("/apply", "{'inputs':{'" + "a".repeat(1025) + "':1}}");
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body())
                .contains("not JSON: the name of a field has 1025 characters, at most 1024 are allowed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                              | application/json",
                "*/*                                           | application/json",
                "application/json+base64                       | application/json+base64",
                "text/html, application/json+base64;q=0.5      | application/json+base64",
                "application/json;q=0.1,application/json+base64| application/json+base64",
                "application/json+base64;compression=lz4, */*;q=0.1 | application/json",
            })
    void answersInPreferredFormat(String accept, String type) throws Exception {
        var request = replica.request("/apply").POST(BodyPublishers.ofString("{\"inputs\":{\"x\":[[1,2,3]]}}"));
        if (accept != null) {
            request.header("Accept", accept);
        }
        assertThat(replica.send(request).headers().firstValue("Content-Type")).contains(type);
    }

    @Test
    void listsSupportedFormats() throws Exception {
        var request = replica.request("/apply").header("Accept", "text/html").POST(BodyPublishers.ofString("{}"));
        HttpResponse<String> answer = replica.send(request);
        assertThat(answer.statusCode()).isEqualTo(406);
        assertThat(answer.body()).contains("application/json+base64");
    }

    @Test
    void castsIntegersToFloatsOnly() throws Exception {
        String x = "{'inputs':{'x':{'shape':[1,3],'dtype':'%s','data':{'buffer':[%s],'encoding':'json'}}}}";
        assertThat(replica.post("/apply", x.formatted("int8", "1,2,3")).statusCode())
                .isEqualTo(200);
        try (var picks = new TestUnit()
                        .main(new Onnx()
                                .input("i", INT64, "n")
                                .output("j", INT64, "n")
                                .node("Add", List.of("i", "i"), "j")
                                .build())
                        .write();
                var other = new TestReplica(picks)) {
            String i = "{'inputs':{'i':{'shape':[1],'dtype':'%s','data':{'buffer':[%s],'encoding':'json'}}}}";
            assertThat(other.post("/apply", i.formatted("int64", "4611686018427387903"))
                            .body())
                    .contains("[9223372036854775806]");
            assertThat(other.post("/apply", i.formatted("uint8", "true")).body())
                    .contains("[2]");
            assertThat(other.post("/apply", i.formatted("float32", "1")).body())
                    .contains("float32, which cannot be cast to int64");
            assertThat(other.post("/apply", i.formatted("int64", "1.5")).body()).contains("1.5 is no int64");
            assertThat(other.post("/apply", i.formatted("int64", "9223372036854775808"))
                            .body())
                    .contains("is no int64");
        }
    }

    /** The engine only computes with the bytes 0 and 1, and would pass others on. */
    @Test
    void anyByteButZeroIsTrue() throws Exception {
        try (var flags = new TestUnit()
                        .main(new Onnx()
                                .input("b", BOOL, "n")
                                .output("c", BOOL, "n")
                                .node("Identity", List.of("b"), "c")
                                .build())
                        .write();
                var other = new TestReplica(flags)) {
            var request = other.request("/apply")
                    .header("Accept", "application/json+base64")
                    .POST(BodyPublishers.ofString(
                            "{'inputs':{'b':{'shape':[4],'dtype':'bool','data':{'buffer':'AAEC/w==','encoding':'base64'}}}}"
                                    .replace('\'', '"')));
            assertThat(other.send(request).body()).contains("\"buffer\":\"AAEBAQ==\"");
        }
    }

    @Test
    void functionsWithoutGradientsHaveNoJacobian() throws Exception {
        try (var plain = new TestUnit().main(Onnx.dynamic()).write();
                var other = new TestReplica(plain)) {
            assertThat(other.post("/apply", "{'inputs':{'x':[[1,2]]}}").body()).contains("\"buffer\":[[2.0,4.0]]");
            assertThat(other.post("/abstract_eval", "{'inputs':{'x':{'shape':[5,7],'dtype':'float32'}}}")
                            .body())
                    .isEqualTo("{\"y\":{\"shape\":[5,7],\"dtype\":\"float32\"}}");
            HttpResponse<String> no = other.post("/jacobian", "{}");
            assertThat(no.statusCode()).isEqualTo(404);
            assertThat(no.body()).contains("has no jacobian; deploy the model with type: Gradient");
            assertThat(other.get("/openapi.json").body())
                    .contains("\"/apply\"", "\"/abstract_eval\"", "\"/health\"")
                    .doesNotContain("\"/jacobian\"");
        }
    }

    @Test
    void findsDataDependentShapes() throws Exception {
        try (var twice = new TestUnit()
                        .main(new Onnx()
                                .input("x", FLOAT, "n")
                                .output("y", FLOAT, "m")
                                .node("Concat", List.of("x", "x"), "y", Onnx.integer("axis", 0))
                                .build())
                        .write();
                var other = new TestReplica(twice)) {
            assertThat(other.post("/abstract_eval", "{'inputs':{'x':{'shape':[4],'dtype':'float32'}}}")
                            .body())
                    .isEqualTo("{\"y\":{\"shape\":[8],\"dtype\":\"float32\"}}");
        }
    }

    @Test
    void dottedPathsMatchNamesWithDots() throws Exception {
        try (var dotted = new TestUnit()
                        .main(new Onnx()
                                .input("a.b", FLOAT, 2)
                                .input("a.0", FLOAT, 2)
                                .output("y.z", FLOAT, 2)
                                .node("Add", List.of("a.b", "a.0"), "y.z")
                                .build())
                        .write();
                var other = new TestReplica(dotted)) {
            for (String inputs : List.of("{'a.b':[1,2],'a.0':[3,4]}", "{'a':{'b':[1,2],'0':[3,4]}}")) {
                assertThat(other.post("/apply", "{'inputs':" + inputs + "}").body())
                        .contains("\"y.z\"", "[4.0,6.0]");
            }
        }
        assertThat(FieldPaths.find(List.of("a.b", "a.0.c"), "a.{b}")).contains("a.b");
        assertThat(FieldPaths.find(List.of("a.b", "a.0.c"), "a.[0].c")).contains("a.0.c");
        assertThat(FieldPaths.find(List.of("a.b"), "a.c")).isEmpty();
    }

    @Test
    void encodedArraysInAListAreItsItems() throws Exception {
        try (var list = new TestUnit()
                        .main(new Onnx()
                                .input("a.0", FLOAT, 2)
                                .input("a.1", FLOAT, 2)
                                .output("y", FLOAT, 2)
                                .node("Sub", List.of("a.0", "a.1"), "y")
                                .build())
                        .write();
                var other = new TestReplica(list)) {
            String array = "{'shape':[2],'dtype':'float32','data':{'buffer':[%s],'encoding':'json'}}";
            String arrays = array.formatted("4,3") + "," + array.formatted("1,2");
            assertThat(other.post("/apply", "{'inputs':{'a':[" + arrays + "]}}").body())
                    .contains("\"buffer\":[3.0,1.0]");
            assertThat(other.post("/apply", "{'inputs':{'a':[" + array.formatted("4,3") + ",[1,2]]}}")
                            .body())
                    .contains("\"buffer\":[3.0,1.0]");
            String shape = "{'shape':[2],'dtype':'float32'}";
            assertThat(other.post("/abstract_eval", "{'inputs':{'a':[" + shape + "," + shape + "]}}")
                            .body())
                    .isEqualTo("{\"y\":{\"shape\":[2],\"dtype\":\"float32\"}}");
        }
    }

    @Test
    void rejectsTextsAndTrainingSteps() throws Exception {
        try (var texts = new TestUnit()
                        .main(new Onnx()
                                .input("x", STRING, 1)
                                .output("y", STRING, 1)
                                .node("Identity", List.of("x"), "y")
                                .build())
                        .write();
                var other = new TestReplica(texts)) {
            assertThat(other.post("/apply", "{}").body()).contains("'x' is BYTES", "call infer");
            assertThat(other.get("/health").body()).isEqualTo("{\"status\":\"ok\"}");
        }
        try (var step = AnalyticModels.regression();
                var other = new TestReplica(step)) {
            HttpResponse<String> answer = other.post("/apply", "{}");
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).contains("a TrainingStep function answers infer only");
            assertThat(other.get("/openapi.json").body()).contains("\"paths\":{\"/health\"");
        }
    }

    @Test
    void writesNonFiniteAsNull() throws Exception {
        try (var plain = new TestUnit().main(Onnx.dynamic()).write();
                var other = new TestReplica(plain)) {
            assertThat(other.post("/apply", "{'inputs':{'x':[[3e38,1]]}}").body())
                    .contains("\"buffer\":[[null,2.0]]");
        }
    }

    @Test
    void readsNonFiniteInEverySpelling() throws Exception {
        try (var plain = new TestUnit().main(Onnx.dynamic()).write();
                var other = new TestReplica(plain)) {
            for (String value : List.of("NaN", "null", "'NaN'", "Infinity", "'-Infinity'")) {
                assertThat(other.post("/apply", "{'inputs':{'x':[[" + value + ",1]]}}")
                                .body())
                        .contains("\"buffer\":[[null,2.0]]");
            }
        }
    }

    @Test
    void rejectsWrongMethod() throws Exception {
        assertThat(replica.get("/apply").statusCode()).isEqualTo(405);
        assertThat(replica.post("/health", "{}").statusCode()).isEqualTo(405);
    }
}
