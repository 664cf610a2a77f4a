package io.knabla.functions.compiler.autodiff;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.StreamSupport;

/** Differentiates models as users do, by the {@code gradient} block of function.yaml. */
final class DifferentiationFixture {
    private static final ObjectMapper JSON = new ObjectMapper();

    private DifferentiationFixture() {}

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    static List<JsonNode> cases(String resource) {
        try (InputStream in = DifferentiationFixture.class.getResourceAsStream(resource)) {
            return StreamSupport.stream(JSON.readTree(in).spliterator(), false).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static Gradient gradient(String type, JsonNode block) {
        ObjectNode spec = object().put("type", type).put("model", "model.onnx");
        spec.set("gradient", block);
        if (type.equals("TrainingStep")) {
            spec.putObject("scaling").put("max", 1);
        }
        ObjectNode resource = object().put("apiVersion", "knabla.dev/v1alpha1").put("kind", "Function");
        resource.putObject("metadata").put("name", "wish");
        resource.set("spec", spec);
        return switch (FunctionYaml.parse(resource.toString())) {
            case Parsed.Valid(var function) -> function.spec().gradient().orElseThrow();
            case Parsed.Invalid(var faults) -> throw new AssertionError(faults.toString());
        };
    }

    static Differentiation differentiate(ModelProto model, Kind kind, JsonNode block) {
        String type = kind == Kind.TRAINING_STEP ? "TrainingStep" : "Gradient";
        return Differentiator.differentiate(Model.of(model), new GradientRequest(kind, gradient(type, block)));
    }

    static Differentiation.Differentiated differentiateOrFail(ModelProto model, Kind kind, JsonNode block) {
        return switch (differentiate(model, kind, block)) {
            case Differentiation.Differentiated done -> done;
            case Differentiation.NotDifferentiated(var faults) -> throw new AssertionError(faults.toString());
        };
    }

    static int[] dims(JsonNode tensor) {
        return ints(tensor.get("dims"));
    }

    static double[] values(JsonNode tensor) {
        return StreamSupport.stream(tensor.get("values").spliterator(), false)
                .mapToDouble(JsonNode::doubleValue)
                .toArray();
    }

    static NdArray floats(JsonNode tensor) {
        return NdArray.floats(dims(tensor), values(tensor));
    }

    private static int[] ints(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .mapToInt(JsonNode::intValue)
                .toArray();
    }
}
