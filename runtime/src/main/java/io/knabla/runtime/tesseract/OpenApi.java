package io.knabla.runtime.tesseract;

import com.fasterxml.jackson.core.JsonFactory;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Fills the templates of the OpenAPI document with the function's tensor names, shapes and types. */
final class OpenApi {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(\\w+)}");
    private static final String SHAPE_AND_DTYPE = "{\"$ref\": \"#/components/schemas/ShapeDType\"}";

    private OpenApi() {}

    static byte[] of(String model, String version, GraphManifest manifest, Optional<Capabilities> offer) {
        String document = fill(
                "document",
                Map.of(
                        "model", quote(model),
                        "version", quote(version),
                        "paths", offer.map(OpenApi::paths).orElse(""),
                        "components", offer.map(OpenApi::components).orElse(""),
                        "inferPaths", InferApi.paths(model),
                        "inferSchemas", InferApi.schemas(manifest)));
        // Parsing removes the templates' white space, and fails a template that is not JSON.
        return TesseractCalls.toJson(out -> {
            try (var parser = new JsonFactory().createParser(document)) {
                parser.nextToken();
                out.copyCurrentStructure(parser);
            }
        });
    }

    private static String paths(Capabilities offer) {
        boolean jvp = offer.jvp().isPresent();
        boolean vjp = offer.vjp().isPresent();
        boolean loss = offer.jacobianLoss().isPresent();
        return path("apply", "Run the model", "Apply")
                + (jvp || vjp || loss ? path("jacobian", "All derivatives of outputs by inputs", "Jacobian") : "")
                + (jvp ? path("jacobian_vector_product", "The Jacobian times a tangent", "JVP") : "")
                + (vjp ? path("vector_jacobian_product", "A cotangent times the Jacobian", "VJP") : "")
                + (offer.hvp().isPresent()
                        ? path("hessian_vector_product", "The Hessian of the loss times a tangent", "HVP")
                        : "")
                + path("abstract_eval", "Shapes of the outputs from shapes of the inputs", "Abstract");
    }

    private static String path(String operation, String summary, String schema) {
        return fill("path", Map.of("operation", operation, "summary", summary, "schema", schema));
    }

    private static String components(Capabilities offer) {
        List<TensorSpec> inputs = offer.differentiableInputs();
        List<TensorSpec> outputs = offer.differentiableOutputs();
        return fill(
                "components",
                Map.ofEntries(
                        Map.entry("inputs", fields(offer.inputs(), spec -> array(spec, inputs.contains(spec)))),
                        Map.entry("outputs", fields(offer.outputs(), spec -> array(spec, outputs.contains(spec)))),
                        Map.entry("inputNames", names(offer.inputs())),
                        Map.entry("outputNames", names(offer.outputs())),
                        Map.entry("inputShapes", fields(offer.inputs(), _ -> SHAPE_AND_DTYPE)),
                        Map.entry("outputShapes", fields(offer.outputs(), _ -> SHAPE_AND_DTYPE)),
                        Map.entry("differentiableInputs", fields(inputs, OpenApi::differentiable)),
                        Map.entry("differentiableOutputs", fields(outputs, OpenApi::differentiable)),
                        Map.entry("differentiableInputNames", names(inputs)),
                        Map.entry("differentiableOutputNames", names(outputs)),
                        Map.entry("jacobianInputs", jacobianInputs(offer)),
                        Map.entry("jacobianInputNames", names(union(inputs, lossValues(offer)))),
                        Map.entry(
                                "jacobianOutputNames",
                                names(union(
                                        outputs, offer.jacobianLoss().stream().toList()))),
                        Map.entry(
                                "hessian",
                                offer.loss().map(loss -> ofLoss(loss, offer)).orElse("")),
                        Map.entry("array", anyArray())));
    }

    private static List<TensorSpec> lossValues(Capabilities offer) {
        return offer.jacobianLoss()
                .flatMap(_ -> offer.loss())
                .map(LossGraph::values)
                .orElse(List.of());
    }

    /** Without those of the second list whose names the first has. */
    private static List<TensorSpec> union(List<TensorSpec> first, List<TensorSpec> second) {
        return Stream.concat(
                        first.stream(),
                        second.stream()
                                .filter(one ->
                                        RequestRunner.find(first, one.name()).isEmpty()))
                .toList();
    }

    /** A Jacobian of the loss needs its target, too. */
    private static String jacobianInputs(Capabilities offer) {
        String model = "{\"$ref\": \"#/components/schemas/Apply_InputSchema\"}";
        return offer.jacobianLoss().isEmpty()
                ? model
                : "{\"anyOf\": [%s, {\"$ref\": \"#/components/schemas/Loss_InputSchema\"}]}".formatted(model);
    }

    private static String ofLoss(LossGraph loss, Capabilities offer) {
        return fill(
                "hessian",
                Map.of(
                        "lossInputs", fields(loss.inputs(), spec -> array(spec, false)),
                        "lossInputNames", names(loss.inputs()),
                        "hessianNames", names(offer.hvp().isPresent() ? offer.hessianValues() : loss.values()),
                        "array", anyArray()));
    }

    private static String array(TensorSpec spec, boolean differentiable) {
        String sizes = join(
                spec.shape(),
                size -> size < 0
                        ? "{\"type\": \"integer\", \"minimum\": 0}"
                        : "{\"type\": \"integer\", \"const\": %d}".formatted(size));
        int rank = spec.shape().size();
        String shape = "\"minItems\": %d, \"maxItems\": %d".formatted(rank, rank)
                + (rank == 0 ? "" : ", \"prefixItems\": [" + sizes + "]");
        String dtype = dtypes(type -> Dtypes.canCast(type, spec.datatype()))
                + ", \"examples\": [%s]".formatted(dtype(spec.datatype()));
        return fill(
                "array", Map.of("shape", shape, "dtype", dtype, "flags", differentiable ? "\"DIFFERENTIABLE\"" : ""));
    }

    /** The schema of an array of any shape and type. */
    private static String anyArray() {
        return fill(
                "array",
                Map.of("shape", "\"items\": {\"type\": \"integer\"}", "dtype", dtypes(_ -> true), "flags", ""));
    }

    private static String dtypes(Predicate<DataType> allowed) {
        List<DataType> types = Arrays.stream(DataType.values())
                .filter(type -> Dtypes.name(type).isPresent())
                .filter(allowed)
                .toList();
        return "\"enum\": [" + join(types, OpenApi::dtype) + "]";
    }

    private static String dtype(DataType type) {
        return quote(Dtypes.name(type).orElseThrow());
    }

    private static String differentiable(TensorSpec spec) {
        String shape = join(spec.shape(), size -> size < 0 ? "null" : size.toString());
        return "{\"dtype\": %s, \"shape\": [%s]}".formatted(dtype(spec.datatype()), shape);
    }

    private static String fields(List<TensorSpec> specs, Function<TensorSpec, String> schema) {
        return join(specs, spec -> quote(spec.name()) + ": " + schema.apply(spec));
    }

    static String names(List<TensorSpec> specs) {
        return join(specs, spec -> quote(spec.name()));
    }

    static <T> String join(List<T> elements, Function<T, String> json) {
        return elements.stream().map(json).collect(Collectors.joining(", "));
    }

    static String quote(String text) {
        return new String(TesseractCalls.toJson(out -> out.writeString(text)), StandardCharsets.UTF_8);
    }

    static String fill(String template, Map<String, String> values) {
        return PLACEHOLDER
                .matcher(read(template))
                .replaceAll(found -> Matcher.quoteReplacement(values.get(found.group(1))));
    }

    private static String read(String template) {
        try (InputStream in = OpenApi.class.getResourceAsStream("openapi/" + template + ".json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the template " + template, unreadable);
        }
    }
}
