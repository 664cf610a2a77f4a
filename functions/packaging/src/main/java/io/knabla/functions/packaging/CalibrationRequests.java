package io.knabla.functions.packaging;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads calibration data as Open Inference Protocol requests in JSON: one request, a list, or one per line. */
final class CalibrationRequests {
    private static final String PATH = "spec.quantize.calibration";
    private static final long MOST_BYTES = 64L << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<TensorSpec> inputs;
    private final FaultCollector faults;

    private CalibrationRequests(List<TensorSpec> inputs, FaultCollector faults) {
        this.inputs = inputs;
        this.faults = faults;
    }

    /** Returns the valid requests and adds faults for the rest. */
    static List<Map<String, NdArray>> read(Path file, List<TensorSpec> inputs, FaultCollector faults)
            throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            faults.add(
                    PATH,
                    "has %,d bytes, at most %,d are read; some dozens of requests are enough",
                    Files.size(file),
                    MOST_BYTES);
            return List.of();
        }
        return new CalibrationRequests(inputs, faults).read(file);
    }

    private List<Map<String, NdArray>> read(Path file) throws IOException {
        List<Map<String, NdArray>> batches = new ArrayList<>();
        try (var documents = JSON.readerFor(JsonNode.class).<JsonNode>readValues(file.toFile())) {
            while (documents.hasNextValue()) {
                JsonNode document = documents.nextValue();
                for (JsonNode request : document.isArray() ? document : List.of(document)) {
                    batches.add(request(request, batches.size()));
                }
            }
        } catch (JsonProcessingException notJson) {
            faults.add(PATH, "is no JSON: %s", notJson.getOriginalMessage());
        }
        if (batches.isEmpty()) {
            faults.add(PATH, "holds no request; write {\"inputs\": […]}, as for infer, or a list of them");
        }
        return batches;
    }

    private Map<String, NdArray> request(JsonNode request, int number) {
        Map<String, NdArray> batch = new HashMap<>();
        for (TensorSpec spec : inputs) {
            JsonNode given = find(request.path("inputs"), spec.name());
            if (given.isMissingNode()) {
                faults.add(PATH, "request %d has no input '%s'", number, spec.name());
                continue;
            }
            tensor(spec, given, number, batch);
        }
        return batch;
    }

    private static JsonNode find(JsonNode inputs, String name) {
        for (JsonNode input : inputs) {
            if (input.path("name").asText().equals(name)) {
                return input;
            }
        }
        return JSON.missingNode();
    }

    private void tensor(TensorSpec spec, JsonNode given, int number, Map<String, NdArray> batch) {
        if (spec.datatype() == DataType.BYTES) {
            faults.add(PATH, "request %d: input '%s' holds texts, only numbers can be measured", number, spec.name());
            return;
        }
        List<JsonNode> flat = new ArrayList<>();
        flatten(given.path("data"), flat);
        int[] dims = new int[given.path("shape").size()];
        long count = 1;
        for (int i = 0; i < dims.length; i++) {
            dims[i] = given.path("shape").path(i).asInt();
            count *= dims[i];
        }
        if (dims.length != spec.shape().size() || count != flat.size()) {
            faults.add(
                    PATH,
                    "request %d: input '%s' has %d numbers and the shape %s, the model takes %s",
                    number,
                    spec.name(),
                    flat.size(),
                    given.path("shape"),
                    spec.shape());
            return;
        }
        ElementType element = ElementType.of(spec.datatype().onnx());
        batch.put(
                spec.name(),
                isReal(spec.datatype())
                        ? NdArray.reals(
                                element,
                                dims,
                                flat.stream().mapToDouble(JsonNode::asDouble).toArray())
                        : NdArray.whole(
                                element,
                                dims,
                                flat.stream()
                                        .mapToLong(CalibrationRequests::whole)
                                        .toArray()));
    }

    private static long whole(JsonNode value) {
        return value.isBoolean() ? (value.booleanValue() ? 1 : 0) : value.asLong();
    }

    private static boolean isReal(DataType type) {
        return switch (type) {
            case FP16, BF16, FP32, FP64 -> true;
            case BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, BYTES -> false;
        };
    }

    private static void flatten(JsonNode data, List<JsonNode> into) {
        if (data.isArray()) {
            data.forEach(item -> flatten(item, into));
        } else if (!data.isMissingNode()) {
            into.add(data);
        }
    }
}
