package io.knabla.runtime.answers;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static io.knabla.functions.compiler.onnx.ElementType.INT64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outputs that no node makes of their own: an input, an initializer, or a value that is there twice. */
@Timeout(300)
class PassedThroughTest {
    private static final String X = "x: FP32 [2] [1.5,-2.0]";

    private static final String GRADIENT = """
            type: %s
            gradient:
              loss: {output: %s, function: MSE, target: t}
              withRespectTo: [%s]
            """;

    /** {@code y = x * w}, with everything that it reads as outputs. */
    private static ModelProto product() {
        return new Onnx()
                .input("x", FLOAT, "n")
                .input("mask", INT64, "n")
                .weights("w", 2)
                .output("y", FLOAT, "n")
                .output("mask", INT64, "n")
                .output("x", FLOAT, "n")
                .output("w", FLOAT, 2)
                .node("Mul", List.of("x", "w"), "y")
                .build();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FLOAT    | FP32   | [1.5,-2.0]
            DOUBLE   | FP64   | [1.5,-2.0]
            FLOAT16  | FP16   | [1.5,-2.0]
            BFLOAT16 | BF16   | [1.5,-2.0]
            BOOL     | BOOL   | [true,false]
            INT8     | INT8   | [7,-8]
            INT16    | INT16  | [7,-8]
            INT32    | INT32  | [7,-8]
            INT64    | INT64  | [7,-8]
            UINT8    | UINT8  | [7,8]
            UINT16   | UINT16 | [7,8]
            UINT32   | UINT32 | [7,8]
            UINT64   | UINT64 | [7,8]
            STRING   | BYTES  | ["a","b"]
            """)
    void inputOfAnyTypeBesideAnotherOutput(ElementType type, String datatype, String data) throws Exception {
        ModelProto model = new Onnx()
                .input("x", FLOAT, "n")
                .input("mask", type, "n")
                .output("y", FLOAT, "n")
                .output("mask", type, "n")
                .node("Relu", List.of("x"), "y")
                .build();

        assertThat(Answers.of(model, X, "mask: " + datatype + " [2] " + data))
                .containsExactly("y=[1.5,0.0]", "mask=" + data);
    }

    @Test
    void allThatThereIs() throws Exception {
        ModelProto model =
                new Onnx().input("x", FLOAT, "n").output("x", FLOAT, "n").build();

        assertThat(Answers.of(model, X)).containsExactly("x=[1.5,-2.0]");
        assertThat(Answers.of(model, "x: FP32 [0] []")).containsExactly("x=[]");
    }

    @Test
    void scalar() throws Exception {
        ModelProto model = new Onnx().input("x", INT64).output("x", INT64).build();

        assertThat(Answers.of(model, "x: INT64 [] [7]")).containsExactly("x=[7]");
    }

    @Test
    void listedTwice() throws Exception {
        ModelProto model = new Onnx()
                .input("x", FLOAT, "n")
                .output("y", FLOAT, "n")
                .output("x", FLOAT, "n")
                .output("y", FLOAT, "n")
                .output("x", FLOAT, "n")
                .node("Relu", List.of("x"), "y")
                .build();

        assertThat(Answers.of(model, X)).containsExactly("y=[1.5,0.0]", "x=[1.5,-2.0]", "y=[1.5,0.0]", "x=[1.5,-2.0]");
    }

    @Test
    void sameValueUnderTwoNames() throws Exception {
        ModelProto model = new Onnx()
                .input("x", FLOAT, "n")
                .output("y", FLOAT, "n")
                .output("z", FLOAT, "n")
                .node("Identity", List.of("x"), "y")
                .node("Identity", List.of("y"), "z")
                .build();

        assertThat(Answers.of(model, X)).containsExactly("y=[1.5,-2.0]", "z=[1.5,-2.0]");
    }

    @Test
    void initializer() throws Exception {
        ModelProto model = new Onnx()
                .input("x", FLOAT, "n")
                .constant("k", 7, 8)
                .output("k", INT64, 2)
                .build();

        assertThat(Answers.of(model, X)).containsExactly("k=[7,8]");
    }

    @Test
    void initializerThatARequestMayReplace() throws Exception {
        ModelProto model = new Onnx()
                .input("x", FLOAT, "n")
                .constant("k", 7, 8)
                .output("k", INT64, 2)
                .output("x", FLOAT, "n")
                .build();

        try (var answers = new Answers(model, "optionalInputs: [k]")) {
            assertThat(answers.infer(X)).containsExactly("k=[7,8]", "x=[1.5,-2.0]");
            assertThat(answers.infer(X, "k: INT64 [2] [5,6]")).containsExactly("k=[5,6]", "x=[1.5,-2.0]");
        }
    }

    @Test
    void eachCallerGetsHisOwn() throws Exception {
        ModelProto model = new Onnx()
                .input("x", FLOAT, "n", 1)
                .output("y", FLOAT, "n", 1)
                .output("x", FLOAT, "n", 1)
                .node("Neg", List.of("x"), "y")
                .build();
        try (var answers = new Answers(model, "");
                var callers = Executors.newFixedThreadPool(8)) {
            List<Callable<List<String>>> calls = new ArrayList<>();
            for (int i = 1; i <= 200; i++) {
                String x = "x: FP32 [1,1] [" + i + ".0]";
                calls.add(() -> answers.infer(x));
            }
            List<Future<List<String>>> all = callers.invokeAll(calls);
            for (int i = 1; i <= all.size(); i++) {
                assertThat(all.get(i - 1).get()).containsExactly("y=[-" + i + ".0]", "x=[" + i + ".0]");
            }
        }
    }

    @Test
    void besideGradients() throws Exception {
        try (var answers = new Answers(product(), GRADIENT.formatted("Gradient", "x", "inputs"))) {
            List<String> all = answers.infer(X, "mask: INT64 [2] [4,5]", "t: FP32 [2] [1.0,1.0]");

            // The loss is the mean of (x - t)², so its gradient is x - t.
            assertThat(all).contains("x_grad=[0.5,-3.0]", "x=[1.5,-2.0]", "mask=[4,5]");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /apply                   | ``                                                                     | mask | 4
            /apply                   | ``                                                                     | x    | 1.5
            /vector_jacobian_product | ,'vjp_inputs':['x'],'vjp_outputs':['x'],'cotangent_vector':{'x':[7,8]} | x    | 7.0
            /jacobian_vector_product | ,'jvp_inputs':['x'],'jvp_outputs':['x'],'tangent_vector':{'x':[7,8]}   | x    | 7.0
            """)
    void inDerivedGraphs(String path, String more, String output, String first) throws Exception {
        try (var answers = new Answers(product(), GRADIENT.formatted("Gradient", "y", "inputs"))) {
            HttpResponse<String> answer =
                    answers.replica().post(path, "{'inputs':{'x':[1.5,-2],'mask':[4,5]}" + more + "}");

            assertThat(new ObjectMapper()
                            .readTree(answer.body())
                            .at("/" + output + "/data/buffer/0")
                            .asText())
                    .as(answer.body())
                    .isEqualTo(first);
        }
    }

    /** The loss is the mean of w², so a step at the rate 0.1 leaves nine tenths of w. */
    @Test
    void whileTraining() throws Exception {
        String spec =
                GRADIENT.formatted("TrainingStep", "w", "parameters") + "  optimizer: {type: SGD, learningRate: 0.1}\n";
        try (var answers = new Answers(product(), spec)) {
            double[] losses = new double[3];
            for (int i = 0; i < losses.length; i++) {
                String loss = answers.infer(X, "mask: INT64 [2] [4,5]", "t: FP32 [2] [0.0,0.0]")
                        .getFirst();
                losses[i] = Double.parseDouble(loss.replaceAll("[^0-9.E-]", ""));
            }

            assertThat(losses[1]).isCloseTo(0.81 * losses[0], within(1e-6));
            assertThat(losses[2]).isCloseTo(0.81 * losses[1], within(1e-6));
        }
    }
}
