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
public record ModelMetadata(
        String name,
        List<String> versions,
        List<TensorSpec> inputs,
        List<TensorSpec> outputs,
        List<ClassNames> classes,
        List<InputDefault> defaults) {
    static final String PLATFORM = "onnxruntime_onnx";

    public ModelMetadata(String name, List<String> versions, GraphManifest manifest) {
        this(name, versions, manifest.inputs(), manifest.outputs(), manifest.classes(), manifest.defaults());
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

    private void tensors(JsonGenerator out, String field, List<TensorSpec> tensors) throws IOException {
        out.writeArrayFieldStart(field);
        for (TensorSpec tensor : tensors) {
            out.writeStartObject();
            ManifestJson.type(out, tensor);
            for (ClassNames names : classes) {
                if (field.equals("outputs") && names.output().equals(tensor.name())) {
                    parameters(out, names);
                }
            }
            if (field.equals("inputs")
                    && defaults.stream().anyMatch(one -> one.input().equals(tensor.name()))) {
                out.writeObjectFieldStart("parameters");
                out.writeBooleanField("optional", true);
                out.writeEndObject();
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    /** Names of classes as a parameter of their output, where MLServer keeps what describes one tensor. */
    private static void parameters(JsonGenerator out, ClassNames names) throws IOException {
        out.writeObjectFieldStart("parameters");
        out.writeArrayFieldStart("class_names");
        for (String name : names.names()) {
            switch (names.datatype()) {
                case INT64 -> out.writeNumber(Long.parseLong(name));
                case BYTES, BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, FP16, BF16, FP32, FP64 ->
                    out.writeString(name);
            }
        }
        out.writeEndArray();
        out.writeEndObject();
    }
}
