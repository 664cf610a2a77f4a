package io.knabla.functions.unit;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Metadata of a model in the Open Inference Protocol: the response to {@code GET /v2/models/NAME}. With it the gateway
 * answers for a replica without starting it.
 */
public record ModelMetadata(String name, List<String> versions, List<TensorSpec> inputs, List<TensorSpec> outputs) {
    private static final String PLATFORM = "onnxruntime_onnx";

    public ModelMetadata(String name, List<String> versions, UnitManifest manifest) {
        this(name, versions, manifest.inputs(), manifest.outputs());
    }

    public byte[] json() {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = ManifestJson.JSON.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("name", name);
            out.writeArrayFieldStart("versions");
            for (String version : versions) {
                out.writeString(version);
            }
            out.writeEndArray();
            out.writeStringField("platform", PLATFORM);
            tensors(out, "inputs", inputs);
            tensors(out, "outputs", outputs);
            out.writeEndObject();
        } catch (IOException notText) {
            throw new UncheckedIOException(notText);
        }
        return bytes.toByteArray();
    }

    private static void tensors(JsonGenerator out, String field, List<TensorSpec> tensors) throws IOException {
        out.writeArrayFieldStart(field);
        for (TensorSpec tensor : tensors) {
            out.writeStartObject();
            ManifestJson.type(out, tensor);
            out.writeEndObject();
        }
        out.writeEndArray();
    }
}
