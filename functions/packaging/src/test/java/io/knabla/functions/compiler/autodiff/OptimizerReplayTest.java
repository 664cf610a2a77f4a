package io.knabla.functions.compiler.autodiff;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import ai.onnxruntime.OrtException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.autodiff.Differentiation.Differentiated;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares every optimizer, schedule and clipping to PyTorch, call by call; {@code losses.py} wrote the cases. */
class OptimizerReplayTest {
    private static final Offset<Double> CLOSE = Offset.offset(1e-5);

    @TestFactory
    Stream<DynamicTest> likePyTorch() {
        return DifferentiationFixture.cases("/losses/optimizers.json").stream()
                .map(c -> DynamicTest.dynamicTest(c.get("name").textValue(), () -> check(c)));
    }

    private static void check(JsonNode c) throws OrtException {
        Differentiated step = step(c);
        ModelProto graph = step.entries().getFirst().model();
        Map<String, NdArray> feeds = start(c, graph);
        int call = 0;
        for (JsonNode expected : c.get("weights")) {
            Map<String, NdArray> found = OnnxRuntime.run(graph, feeds);
            step.state().forEach(s -> feeds.put(s.input(), found.get(s.output())));
            assertThat(feeds.get("w").reals())
                    .as("weights after call %d", call)
                    .containsExactly(DifferentiationFixture.values(expected), CLOSE);
            int every = c.get("optimizer").path("accumulate").asInt(1);
            assertThat(found.get("step").whole(0)).isEqualTo(++call / every);
        }
    }

    private static Differentiated step(JsonNode c) {
        ObjectNode block = DifferentiationFixture.object();
        block.putObject("loss").put("output", "loss");
        block.putArray("withRespectTo").add("w");
        block.set("optimizer", c.get("optimizer"));
        return DifferentiationFixture.differentiateOrFail(model(c), Kind.TRAINING_STEP, block);
    }

    private static ModelProto model(JsonNode c) {
        return new Onnx()
                .input("c", ElementType.FLOAT, 3)
                .output("loss", ElementType.FLOAT)
                .initializer(tensor("w", DifferentiationFixture.values(wrapped(c))))
                .initializer(tensor("half", 0.5))
                .node("Mul", List.of("w", "w"), "ww")
                .node("Mul", List.of("ww", "c"), "cww")
                .node("Mul", List.of("cww", "half"), "terms")
                .node("ReduceSum", List.of("terms"), "loss", Onnx.integer("keepdims", 0))
                .build();
    }

    private static TensorProto tensor(String name, double... values) {
        return NdArray.floats(new int[] {values.length}, values).toProto(name);
    }

    private static JsonNode wrapped(JsonNode c) {
        ObjectNode tensor = DifferentiationFixture.object();
        tensor.set("values", c.get("start"));
        return tensor;
    }

    private static Map<String, NdArray> start(JsonNode c, ModelProto graph) {
        var feeds = new HashMap<String, NdArray>();
        for (ValueInfoProto input : graph.getGraph().getInputList()) {
            TensorType type = TensorType.of(input.getType());
            int[] dims = type.shape().orElseThrow().dims().stream()
                    .mapToInt(d -> (int) d.or(-1))
                    .toArray();
            feeds.put(input.getName(), NdArray.filled(type.element(), dims, 0));
        }
        feeds.put("w", NdArray.floats(new int[] {3}, DifferentiationFixture.values(wrapped(c))));
        feeds.put("c", DifferentiationFixture.floats(c.get("curvature")));
        double rate = c.get("optimizer").get("learningRate").doubleValue();
        feeds.put("learning_rate", NdArray.scalar(ElementType.FLOAT, rate));
        return feeds;
    }
}
