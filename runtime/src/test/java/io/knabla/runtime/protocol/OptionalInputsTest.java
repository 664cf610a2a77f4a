package io.knabla.runtime.protocol;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests inputs that a request may leave out, in a real replica. */
class OptionalInputsTest {
    private static final String A = "{'name':'a','datatype':'FP32','shape':[2],'data':[1,2]}";

    private static String request(String... inputs) {
        return "{'inputs':[" + String.join(",", inputs) + "]}";
    }

    private static String answer(TestReplica replica, String request) throws Exception {
        return replica.infer(request.replace('\'', '"')).body();
    }

    @ParameterizedTest
    @ValueSource(strings = {"n", "2"})
    void ofOptionalTypeMayBeAbsent(String size) throws Exception {
        Object dimension = size.equals("n") ? "n" : (Object) Integer.valueOf(size);
        try (var unit = TestUnit.of(Onnx.optionalInput(dimension), "type: Inference");
                var replica = new TestReplica(unit)) {
            String x = "{'name':'x','datatype':'FP32','shape':[2],'data':[10,20]}";

            assertThat(answer(replica, request(A, x))).contains("\"data\":[11.0,22.0]");
            assertThat(answer(replica, request(A))).contains("\"data\":[1.0,2.0]");
            assertThat(answer(replica, request(x))).contains("input 'a' is missing");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'inputs':{'a':[1,2],'x':null}}",
                "{'instances':[{'a':1,'x':null},{'a':2,'x':null}]}",
                "{'instances':[{'a':1},{'a':2,'x':null}]}"
            })
    void inKServesFirstProtocolMayBeNull(String request) throws Exception {
        try (var unit = TestUnit.of(Onnx.optionalInput("n"), "type: Inference");
                var replica = new TestReplica(unit)) {
            String body = request.replace('\'', '"');
            assertThat(replica.send(replica.request("/v1/models/m:predict").POST(BodyPublishers.ofString(body)))
                            .body())
                    .contains("[1.0,2.0]");
        }
    }

    @Test
    void anInitializerMayBeOverridden() throws Exception {
        ModelProto model = new Onnx()
                .input("a", FLOAT, "n")
                .output("y", FLOAT, "n")
                .initializer(Onnx.floats("k", 7, 1))
                .node("Sub", List.of("k", "k"), "zero")
                .node("Add", List.of("a", "zero"), "same")
                .node("Mul", List.of("same", "k"), "y")
                .build();
        String k = "{'name':'k','datatype':'FP32','shape':[1],'data':[3]}";
        try (var unit = TestUnit.of(model, "optionalInputs: [k]");
                var plain = TestUnit.of(model, "type: Inference");
                var replica = new TestReplica(unit);
                var fixed = new TestReplica(plain)) {
            assertThat(answer(replica, request(A, k))).contains("\"data\":[3.0,6.0]");
            assertThat(answer(replica, request(A))).isEqualTo(answer(fixed, request(A)));
            assertThat(answer(fixed, request(A, k))).contains("unknown input 'k'");
            assertThat(replica.send(replica.request("/v2/models/m").GET()).body())
                    .contains("\"name\":\"k\",\"datatype\":\"FP32\",\"shape\":[1],\"parameters\":{\"optional\":true}");
        }
    }
}
