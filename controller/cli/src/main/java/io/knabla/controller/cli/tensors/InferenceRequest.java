package io.knabla.controller.cli.tensors;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Documents;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * An inference request of the Open Inference Protocol: body and headers.
 *
 * @param headers content type, and of a binary body the length of its JSON part
 */
public record InferenceRequest(byte[] body, Map<String, String> headers) {
    private static final byte[] NUMPY = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

    /**
     * Builds a request from a user's input. The bytes decide the format, not the name of the file.
     *
     * @param metadata of the model; fetched only if the input does not name its tensors
     */
    public static InferenceRequest of(byte[] input, Supplier<JsonNode> metadata) {
        if (startsWith(input, NUMPY)) {
            JsonNode spec = onlyInput(metadata.get());
            return binary(NumpyFile.tensor(spec.path("name").asText(), input));
        }
        if (Picture.isPicture(input)) {
            return binary(Picture.tensor(onlyInput(metadata.get()), input));
        }
        JsonNode json = json(input);
        if (json.isObject() && json.path("inputs").isArray()) {
            return new InferenceRequest(input, Map.of("Content-Type", "application/json"));
        }
        return ofValues(json, metadata.get().path("inputs"));
    }

    /** Bare values: an array for the only input, or an object with one array per input. */
    private static InferenceRequest ofValues(JsonNode json, JsonNode specs) {
        ObjectNode request = Documents.JSON.createObjectNode();
        ArrayNode inputs = request.putArray("inputs");
        if (json.isObject()) {
            for (Map.Entry<String, JsonNode> entry : json.properties()) {
                inputs.add(named(entry.getKey(), entry.getValue(), specs));
            }
        } else if (specs.size() == 1) {
            inputs.add(input(specs.get(0), json));
        } else {
            throw CliFailure.failed(
                    "the model has %d inputs (%s), so one bare array does not say which. Write"
                            + " {\"NAME\": [...], ...}, or a whole request with \"inputs\".",
                    specs.size(), names(specs));
        }
        return new InferenceRequest(
                Documents.json(request).getBytes(StandardCharsets.UTF_8), Map.of("Content-Type", "application/json"));
    }

    private static ObjectNode named(String name, JsonNode values, JsonNode specs) {
        for (JsonNode spec : specs) {
            if (spec.path("name").asText().equals(name)) {
                return input(spec, values);
            }
        }
        throw CliFailure.failed("the model has no input '%s'; it has %s", name, names(specs));
    }

    private static ObjectNode input(JsonNode spec, JsonNode values) {
        List<Long> shape = new ArrayList<>();
        for (JsonNode level = values; level.isArray(); level = level.path(0)) {
            shape.add((long) level.size());
        }
        // People type a flat list for a matrix of one row.
        int rank = spec.path("shape").size();
        while (shape.size() < rank) {
            shape.addFirst(1L);
        }
        ObjectNode input = Documents.JSON.createObjectNode();
        input.put("name", spec.path("name").asText());
        input.put("datatype", spec.path("datatype").asText());
        input.set("shape", Documents.JSON.valueToTree(shape));
        input.set(
                "data",
                values.isArray() ? values : Documents.JSON.createArrayNode().add(values));
        return input;
    }

    private static InferenceRequest binary(Tensor tensor) {
        ObjectNode request = Documents.JSON.createObjectNode();
        ObjectNode input = request.putArray("inputs").addObject();
        input.put("name", tensor.name()).put("datatype", tensor.datatype());
        input.set("shape", Documents.JSON.valueToTree(tensor.shape()));
        input.putObject("parameters").put("binary_data_size", tensor.bytes().length);
        byte[] header = Documents.json(request).getBytes(StandardCharsets.UTF_8);
        byte[] body = new byte[header.length + tensor.bytes().length];
        System.arraycopy(header, 0, body, 0, header.length);
        System.arraycopy(tensor.bytes(), 0, body, header.length, tensor.bytes().length);
        return new InferenceRequest(
                body,
                Map.of(
                        "Content-Type",
                        "application/octet-stream",
                        "Inference-Header-Content-Length",
                        Integer.toString(header.length)));
    }

    private static JsonNode onlyInput(JsonNode metadata) {
        JsonNode inputs = metadata.path("inputs");
        if (inputs.size() != 1) {
            throw CliFailure.failed(
                    "a picture or an array file fits a model with one input; this one has %d (%s)."
                            + " Write a JSON request with \"inputs\".",
                    inputs.size(), names(inputs));
        }
        return inputs.get(0);
    }

    private static JsonNode json(byte[] input) {
        try {
            return Documents.JSON.readTree(input);
        } catch (JsonProcessingException notJson) {
            throw CliFailure.because(
                    notJson,
                    "the input is neither JSON%s nor .npy nor a PNG, JPEG, GIF or BMP picture",
                    stop(notJson.getLocation()));
        } catch (java.io.IOException impossible) {
            throw new java.io.UncheckedIOException(impossible);
        }
    }

    private static String stop(JsonLocation at) {
        return at == null ? "" : " (reading stopped at line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr());
    }

    private static String names(JsonNode specs) {
        var names = new ArrayList<String>();
        specs.forEach(spec -> names.add(spec.path("name").asText()));
        return String.join(", ", names);
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        return bytes.length >= prefix.length
                && java.util.Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }
}
