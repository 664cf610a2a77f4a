package io.knabla.runtime.tesseract;

import com.fasterxml.jackson.core.JsonGenerator;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Writes the schemas of the OpenAPI document, under the names that Tesseract's own servers use. */
final class Schemas {
    private final JsonGenerator out;
    private final Capabilities offer;

    Schemas(JsonGenerator out, Capabilities offer) {
        this.out = out;
        this.offer = offer;
    }

    void write() throws IOException {
        List<TensorSpec> inputs = offer.differentiableInputs();
        List<TensorSpec> outputs = offer.differentiableOutputs();
        out.writeObjectFieldStart("schemas");
        arrays("Apply_InputSchema", offer.inputs(), inputs);
        arrays("Apply_OutputSchema", offer.outputs(), outputs);
        request("ApplyInputSchema", "Apply_InputSchema", inputs);
        out.writeObjectFieldStart("ApplyOutputSchema");
        out.writeStringField("$ref", "#/components/schemas/Apply_OutputSchema");
        differentiable(outputs);
        out.writeEndObject();
        product("JacobianInputSchema", "jac", "", inputs, outputs);
        mapping("JacobianOutputSchema", 2);
        product("JVPInputSchema", "jvp", "tangent_vector", inputs, outputs);
        mapping("JVPOutputSchema", 1);
        product("VJPInputSchema", "vjp", "cotangent_vector", inputs, outputs);
        mapping("VJPOutputSchema", 1);
        shapes("AbstractEval_InputSchema", offer.inputs());
        shapes("AbstractOutputSchema", offer.outputs());
        request("AbstractInputSchema", "AbstractEval_InputSchema", List.of());
        new FixedSchemas(out).write();
        out.writeEndObject();
    }

    static void reference(JsonGenerator out, String schema) throws IOException {
        out.writeStartObject();
        out.writeStringField("$ref", "#/components/schemas/" + schema);
        out.writeEndObject();
    }

    private void arrays(String name, List<TensorSpec> specs, List<TensorSpec> differentiable) throws IOException {
        object(name);
        for (TensorSpec spec : specs) {
            out.writeFieldName(spec.name());
            array(Optional.of(spec), differentiable.contains(spec));
        }
        required(specs.stream().map(TensorSpec::name).toList());
    }

    private void object(String name) throws IOException {
        out.writeObjectFieldStart(name);
        out.writeStringField("type", "object");
        out.writeStringField("title", name);
        out.writeBooleanField("additionalProperties", false);
        out.writeObjectFieldStart("properties");
    }

    private void required(List<String> names) throws IOException {
        out.writeEndObject();
        texts("required", names);
        out.writeEndObject();
    }

    private void texts(String field, List<String> texts) throws IOException {
        out.writeArrayFieldStart(field);
        for (String text : texts) {
            out.writeString(text);
        }
        out.writeEndArray();
    }

    /** Writes the schema of one array; without a specification, of any shape and type. */
    private void array(Optional<TensorSpec> spec, boolean differentiable) throws IOException {
        out.writeStartObject();
        out.writeStringField("type", "object");
        out.writeBooleanField("additionalProperties", false);
        out.writeObjectFieldStart("properties");
        out.writeObjectFieldStart("object_type");
        out.writeStringField("type", "string");
        out.writeStringField("const", "array");
        out.writeStringField("default", "array");
        out.writeEndObject();
        shape(spec);
        out.writeFieldName("dtype");
        dtype(spec);
        out.writeObjectFieldStart("data");
        out.writeArrayFieldStart("oneOf");
        reference(out, "Base64ArrayData");
        reference(out, "JsonArrayData");
        out.writeEndArray();
        out.writeEndObject();
        out.writeEndObject();
        texts("required", List.of("shape", "dtype", "data"));
        texts("array_flags", differentiable ? List.of("DIFFERENTIABLE") : List.of());
        out.writeEndObject();
    }

    private void shape(Optional<TensorSpec> spec) throws IOException {
        out.writeObjectFieldStart("shape");
        out.writeStringField("type", "array");
        if (spec.isPresent()) {
            List<Long> sizes = spec.get().shape();
            out.writeNumberField("minItems", sizes.size());
            out.writeNumberField("maxItems", sizes.size());
            if (!sizes.isEmpty()) {
                out.writeArrayFieldStart("prefixItems");
                for (long size : sizes) {
                    out.writeStartObject();
                    out.writeStringField("type", "integer");
                    if (size < 0) {
                        out.writeNumberField("minimum", 0);
                    } else {
                        out.writeNumberField("const", size);
                    }
                    out.writeEndObject();
                }
                out.writeEndArray();
            }
        } else {
            out.writeObjectFieldStart("items");
            out.writeStringField("type", "integer");
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    private void dtype(Optional<TensorSpec> spec) throws IOException {
        out.writeStartObject();
        out.writeStringField("type", "string");
        out.writeArrayFieldStart("enum");
        for (DataType type : DataType.values()) {
            boolean allowed = spec.isEmpty() || Dtypes.canCast(type, spec.get().datatype());
            Optional<String> name = Dtypes.name(type);
            if (allowed && name.isPresent()) {
                out.writeString(name.get());
            }
        }
        out.writeEndArray();
        if (spec.isPresent()) {
            texts("examples", List.of(Dtypes.name(spec.get().datatype()).orElseThrow()));
        }
        out.writeEndObject();
    }

    private void request(String name, String inputs, List<TensorSpec> differentiable) throws IOException {
        out.writeObjectFieldStart(name);
        out.writeStringField("type", "object");
        out.writeStringField("title", name);
        out.writeBooleanField("additionalProperties", false);
        out.writeObjectFieldStart("properties");
        out.writeFieldName("inputs");
        reference(out, inputs);
        out.writeEndObject();
        texts("required", List.of("inputs"));
        differentiable(differentiable);
        out.writeEndObject();
    }

    private void differentiable(List<TensorSpec> specs) throws IOException {
        out.writeObjectFieldStart("differentiable_arrays");
        for (TensorSpec spec : specs) {
            out.writeObjectFieldStart(spec.name());
            out.writeStringField("dtype", Dtypes.name(spec.datatype()).orElseThrow());
            out.writeArrayFieldStart("shape");
            for (long size : spec.shape()) {
                if (size < 0) {
                    out.writeNull();
                } else {
                    out.writeNumber(size);
                }
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    private void product(String name, String prefix, String vector, List<TensorSpec> inputs, List<TensorSpec> outputs)
            throws IOException {
        object(name);
        out.writeFieldName("inputs");
        reference(out, "Apply_InputSchema");
        names(prefix + "_inputs", inputs);
        names(prefix + "_outputs", outputs);
        if (!vector.isEmpty()) {
            out.writeFieldName(vector);
            nested(1);
        }
        required(
                vector.isEmpty()
                        ? List.of("inputs", prefix + "_inputs", prefix + "_outputs")
                        : List.of("inputs", prefix + "_inputs", prefix + "_outputs", vector));
    }

    private void names(String field, List<TensorSpec> specs) throws IOException {
        out.writeObjectFieldStart(field);
        out.writeStringField("type", "array");
        out.writeNumberField("minItems", 1);
        out.writeBooleanField("uniqueItems", true);
        out.writeObjectFieldStart("items");
        out.writeStringField("type", "string");
        texts("enum", specs.stream().map(TensorSpec::name).toList());
        out.writeEndObject();
        out.writeEndObject();
    }

    private void mapping(String name, int depth) throws IOException {
        out.writeFieldName(name);
        nested(depth);
    }

    /** Writes the schema of arrays nested in {@code depth} levels of objects. */
    private void nested(int depth) throws IOException {
        if (depth == 0) {
            array(Optional.empty(), false);
            return;
        }
        out.writeStartObject();
        out.writeStringField("type", "object");
        out.writeFieldName("additionalProperties");
        nested(depth - 1);
        out.writeEndObject();
    }

    private void shapes(String name, List<TensorSpec> specs) throws IOException {
        object(name);
        for (TensorSpec spec : specs) {
            out.writeFieldName(spec.name());
            reference(out, "ShapeDType");
        }
        required(specs.stream().map(TensorSpec::name).toList());
    }
}
