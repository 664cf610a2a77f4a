package io.knabla.functions.compiler.autodiff.replay;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.InvalidProtocolBufferException;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.NumpyArray;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/**
 * A model with inputs and expected results; laid out by {@code src/test/python/cases.py}.
 *
 * @param about case.json
 * @param files by name
 */
record Fixture(String name, JsonNode about, Map<String, byte[]> files) {

    ModelProto model() {
        try {
            return ModelProto.parseFrom(files.get("model.onnx"));
        } catch (InvalidProtocolBufferException damaged) {
            throw new UncheckedIOException(damaged);
        }
    }

    /** Relative distance of PyTorch's float32 gradient from its float64 one. */
    double error32() {
        return about.path("error32").asDouble(0);
    }

    Map<String, NdArray> inputs() {
        return tensors("inputs", _ -> true, "file");
    }

    Map<String, NdArray> outputs() {
        return tensors("outputs", _ -> true, "file");
    }

    /** Cotangents by output; only outputs that are differentiated have one. */
    Map<String, NdArray> cotangents() {
        return tensors("outputs", entry -> entry.has("ct"), "ct");
    }

    /** A part of case.json: gradients, tangents, jvp or hvp. */
    Map<String, NdArray> expected(String part) {
        return tensors(part, _ -> true, "file");
    }

    boolean has(String part) {
        return about.has(part);
    }

    /** Inputs to differentiate with respect to. */
    List<String> activeInputs() {
        return entries("inputs")
                .filter(e -> e.path("wrt").asBoolean())
                .map(Fixture::named)
                .toList();
    }

    private Map<String, NdArray> tensors(String part, Predicate<JsonNode> wanted, String file) {
        var found = new LinkedHashMap<String, NdArray>();
        entries(part)
                .filter(wanted)
                .forEach(e -> found.put(
                        named(e),
                        NdArray.of(NumpyArray.read(files.get(e.path(file).asText()))
                                .tensor())));
        return found;
    }

    private java.util.stream.Stream<JsonNode> entries(String part) {
        return StreamSupport.stream(about.path(part).spliterator(), false);
    }

    private static String named(JsonNode entry) {
        return entry.path("name").asText();
    }

    /** Inputs, cotangents under {@code ct:}, and tangents under {@code tan:}. */
    Map<String, NdArray> feeds() {
        var feeds = new HashMap<>(inputs());
        cotangents().forEach((output, ct) -> feeds.put("ct:" + output, ct));
        expected("tangents").forEach((input, tangent) -> feeds.put("tan:" + input, tangent));
        return feeds;
    }
}
