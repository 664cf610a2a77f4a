package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.paths.ModelAction;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Describes {@code infer} of the Open Inference Protocol with the function's own tensors, for its OpenAPI document. */
final class InferApi {
    private static final String SCHEMAS = "#/components/schemas/";

    private InferApi() {}

    static String paths(String model) {
        return OpenApi.fill(
                "infer-paths",
                Map.of(
                        "inferPath", OpenApi.quote(ModelAction.INFER.path(model)),
                        "metadataPath", OpenApi.quote(ModelAction.METADATA.path(model)),
                        "readyPath", OpenApi.quote(ModelAction.READY.path(model))));
    }

    static String schemas(GraphManifest manifest) {
        List<String> inputs = keys("Input_", manifest.inputs());
        List<String> outputs = keys("Output_", manifest.outputs());
        List<String> tensors = List.of(tensors(inputs, manifest.inputs()), tensors(outputs, manifest.outputs()));
        return OpenApi.fill(
                "infer-schemas",
                Map.of(
                        "tensors",
                        String.join(
                                ", ",
                                tensors.stream().filter(some -> !some.isEmpty()).toList()),
                        "anyInput",
                        anyOf(inputs),
                        "anyOutput",
                        anyOf(outputs),
                        "outputNames",
                        OpenApi.names(manifest.outputs())));
    }

    /** Names of schemas: by the tensors' names, or by their numbers where generated classes could not be named so. */
    private static List<String> keys(String prefix, List<TensorSpec> specs) {
        Set<String> taken = new HashSet<>();
        boolean nameable = specs.stream()
                .map(TensorSpec::name)
                .allMatch(name ->
                        name.matches("\\w+") && taken.add(name.replace("_", "").toLowerCase(Locale.ROOT)));
        return IntStream.range(0, specs.size())
                .mapToObj(i -> prefix + (nameable ? specs.get(i).name() : Integer.toString(i)))
                .toList();
    }

    private static String tensors(List<String> keys, List<TensorSpec> specs) {
        List<Integer> numbers = IntStream.range(0, specs.size()).boxed().toList();
        return OpenApi.join(numbers, i -> tensor(keys.get(i), specs.get(i)));
    }

    private static String tensor(String key, TensorSpec spec) {
        return OpenApi.fill(
                "tensor",
                Map.of(
                        "key", OpenApi.quote(key),
                        "name", OpenApi.quote(spec.name()),
                        "datatype", OpenApi.quote(spec.datatype().name()),
                        "rank", Integer.toString(spec.shape().size()),
                        "shape", OpenApi.quote("-1 stands for any size: " + spec.shape()),
                        "element", element(spec.datatype())));
    }

    private static String element(DataType type) {
        return switch (type) {
            case BOOL -> "{\"type\": \"boolean\"}";
            case BYTES -> "{\"type\": \"string\"}";
            case FP16, BF16, FP32 -> "{\"type\": \"number\", \"format\": \"float\"}";
            case FP64 -> "{\"type\": \"number\", \"format\": \"double\"}";
            case UINT8, UINT16, INT8, INT16, INT32 -> "{\"type\": \"integer\", \"format\": \"int32\"}";
            case UINT32, UINT64, INT64 -> "{\"type\": \"integer\", \"format\": \"int64\"}";
        };
    }

    private static String anyOf(List<String> keys) {
        String schemas = OpenApi.join(keys, key -> "{\"$ref\": \"" + SCHEMAS + key + "\"}");
        return switch (keys.size()) {
            case 0 -> "{\"type\": \"object\"}";
            case 1 -> schemas;
            default -> "{\"oneOf\": [" + schemas + "]}";
        };
    }
}
