package io.knabla.runtime.samples;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.Onnx;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hessian-vector products and Jacobians of a loss, over HTTP, against closed forms and finite differences. */
@Timeout(300)
class LossDerivativesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final float STEP = 1e-2f;

    private static JsonNode ok(HttpResponse<String> answer) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    /** Numbers of an array of an answer, flat. */
    private static float[] numbers(JsonNode array) {
        List<Float> found = new ArrayList<>();
        collect(array.at("/data/buffer"), found);
        float[] flat = new float[found.size()];
        for (int i = 0; i < flat.length; i++) {
            flat[i] = found.get(i);
        }
        return flat;
    }

    private static void collect(JsonNode node, List<Float> into) {
        if (node.isArray()) {
            node.forEach(one -> collect(one, into));
        } else {
            into.add(node.floatValue());
        }
    }

    /** ln x1 + x1·x2 - sin x2 at (2, 5) has the Hessian ((-1/x1², 1), (1, sin x2)). */
    @Test
    void textbookFunctionHasItsClosedForms() throws Exception {
        try (var unit = TestUnit.sample("lecture");
                var replica = new TestReplica(unit)) {
            String at = "'inputs':{'x1':2,'x2':5}";
            JsonNode product = ok(replica.post(
                    "/hessian_vector_product",
                    "{" + at + ",'hvp_inputs':['x1','x2'],'tangent_vector':{'x1':1,'x2':2}}"));
            assertThat(numbers(product.path("x1"))[0]).isCloseTo(-0.25f + 2, offset(1e-5f));
            assertThat(numbers(product.path("x2"))[0]).isCloseTo((float) (1 + 2 * Math.sin(5)), offset(1e-5f));
            JsonNode one = ok(replica.post(
                    "/hessian_vector_product", "{" + at + ",'hvp_inputs':['x2'],'tangent_vector':{'x2':2}}"));
            assertThat(one.has("x1")).isFalse();
            assertThat(numbers(one.path("x2"))[0]).isCloseTo((float) (2 * Math.sin(5)), offset(1e-5f));
            JsonNode jacobian =
                    ok(replica.post("/jacobian", "{" + at + ",'jac_inputs':['x1'],'jac_outputs':['loss','y']}"));
            assertThat(numbers(jacobian.at("/loss/x1"))[0]).isEqualTo(5.5f);
            assertThat(numbers(jacobian.at("/y/x1"))[0]).isEqualTo(5.5f);
        }
    }

    /** The Hessian of softmax cross entropy in the last bias is diag(p) - p·pᵀ. */
    @Test
    void productsOfAParameterHaveTheirClosedForm() throws Exception {
        try (var unit = TestUnit.sample("digits-gradient");
                var replica = new TestReplica(unit)) {
            float[] direction = {1, -2, 3, 0, 0.5f, 0, 0, 0, 0, 1};
            String inputs = "'inputs':{'image':%s,'label':[3]}".formatted(image());

            JsonNode product = ok(replica.post(
                    "/hessian_vector_product",
                    "{%s,'hvp_inputs':['dense2.bias'],'tangent_vector':{'dense2.bias':%s}}"
                            .formatted(inputs, Arrays.toString(direction))));
            float[] logits = numbers(ok(replica.post("/apply", "{'inputs':{'image':%s}}".formatted(image())))
                    .path("logits"));

            double sum = 0;
            for (float logit : logits) {
                sum += Math.exp(logit);
            }
            double mean = 0;
            for (int i = 0; i < logits.length; i++) {
                mean += Math.exp(logits[i]) / sum * direction[i];
            }
            float[] found = numbers(product.path("dense2.bias"));
            for (int i = 0; i < logits.length; i++) {
                double p = Math.exp(logits[i]) / sum;
                assertThat(found[i]).isCloseTo((float) (p * (direction[i] - mean)), offset(1e-5f));
            }
        }
    }

    /** In the directions of an input and a parameter at once; the loss's gradients are rows of its Jacobian. */
    @Test
    void productsAgreeWithDifferencesOfTheGradient() throws Exception {
        String spec = """
                type: Gradient
                gradient: {loss: {output: "y", function: MSE, target: t}, withRespectTo: [x, b]}
                """;
        var model = new Onnx()
                .input("x", FLOAT, "batch", 3)
                .output("y", FLOAT, "batch", 2)
                .initializer(Onnx.floats("W", 1, 3, 2))
                .initializer(Onnx.floats("b", 2, 2))
                .node("MatMul", List.of("x", "W"), "xW")
                .node("Add", List.of("xW", "b"), "z")
                .node("Tanh", List.of("z"), "y")
                .build();
        try (var unit = TestUnit.of(model, spec);
                var replica = new TestReplica(unit)) {
            JsonNode product = ok(
                    replica.post(
                            "/hessian_vector_product",
                            "{'inputs':{'x':[[0.3,-0.2,0.4]],'t':[[1,0]]},'hvp_inputs':['x','b'],'tangent_vector':{'x':[[1,2,-1]],'b':[0,0]}}"));
            JsonNode before = gradient(replica, -STEP);
            JsonNode after = gradient(replica, STEP);

            for (String name : List.of("x", "b")) {
                float[] found = numbers(product.path(name));
                float[] less = numbers(before.path(name));
                float[] more = numbers(after.path(name));
                assertThat(found).hasSameSizeAs(less);
                for (int i = 0; i < found.length; i++) {
                    assertThat(found[i]).isCloseTo((more[i] - less[i]) / (2 * STEP), offset(5e-3f));
                }
            }
        }
    }

    private static JsonNode gradient(TestReplica replica, float step) throws Exception {
        return ok(replica.post(
                        "/jacobian",
                        "{'inputs':{'x':[[%s,%s,%s]],'t':[[1,0]]},'jac_inputs':['x','b'],'jac_outputs':['loss']}"
                                .formatted(0.3f + step, -0.2f + 2 * step, 0.4f - step)))
                .path("loss");
    }

    /** A checkered image. */
    private static String image() {
        String numbers =
                IntStream.range(0, 64).mapToObj(i -> i % 3 == 0 ? "1" : "0.25").collect(Collectors.joining(","));
        return "{'object_type':'array','shape':[1,1,8,8],'dtype':'float32','data':{'buffer':[%s],'encoding':'json'}}"
                .formatted(numbers);
    }

    @Test
    void wrongRequestsAreToldWhatIsAllowed() throws Exception {
        try (var unit = TestUnit.sample("digits-gradient");
                var replica = new TestReplica(unit)) {
            String image = image();
            String inputs = "'inputs':{'image':%s,'label':[%d]}";
            String loss = "{" + inputs + ",'jac_inputs':['%s'],'jac_outputs':['%s']}";

            assertThat(replica.post("/jacobian", loss.formatted(image, 10, "image", "loss"))
                            .body())
                    .contains("found the class 10 at 0; allowed are 0 to 9");
            assertThat(replica.post("/jacobian", loss.formatted(image, 1, "dense1.bias", "loss"))
                            .body())
                    .contains("should be one of [image, dense2.bias], found 'dense1.bias'");
            assertThat(replica.post("/jacobian", loss.formatted(image, 1, "image", "logits"))
                            .body())
                    .contains("the model has no input 'label'");
            assertThat(replica.post("/hessian_vector_product", "{'inputs':{'image':" + image + "}}")
                            .body())
                    .contains("body.inputs.label: Field required", "hvp_inputs", "tangent_vector");
            assertThat(ok(replica.send(replica.request("/openapi.json").GET()))
                            .at("/paths/~1hessian_vector_product")
                            .isObject())
                    .isTrue();
        }
    }

    @Test
    void aLossOfManyNumbersHasNoRow() throws Exception {
        String spec = """
                type: Gradient
                gradient: {loss: {output: "y", function: MSE, target: t, reduction: None}, withRespectTo: [x]}
                """;
        try (var unit = TestUnit.of(Onnx.mlp(4, 8, 2), spec);
                var replica = new TestReplica(unit)) {
            String inputs = "'inputs':{'x':[[1,2,3,4]],'t':[[0,0]]}";
            assertThat(replica.post("/jacobian", "{" + inputs + ",'jac_inputs':['x'],'jac_outputs':['loss']}")
                            .statusCode())
                    .isEqualTo(422);
            ok(replica.post(
                    "/hessian_vector_product",
                    "{" + inputs + ",'hvp_inputs':['x'],'tangent_vector':{'x':[[1,0,0,0]]}}"));
        }
    }
}
