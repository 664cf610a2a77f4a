package io.knabla.functions.unit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes unit manifests as canonical JSON and reads them strictly.
 *
 * <p>Canonical means: fields in the order of the records' components, no white space. Equal manifests therefore are
 * equal bytes and have one digest. Streaming, because a replica reads a manifest before its first answer.
 */
public final class ManifestJson {
    private static final int MAX_NESTING = 8;

    /** Of any text in a manifest; a tensor's name is bounded by {@link ManifestLimits#NAME}. */
    private static final int MAX_STRING = 64 << 10;

    /** A long, or a double as Java writes it. */
    private static final int MAX_NUMBER = 26;

    static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_NESTING)
                    .maxStringLength(MAX_STRING)
                    .maxNameLength(MAX_STRING)
                    .maxNumberLength(MAX_NUMBER)
                    .build())
            .build();

    private ManifestJson() {}

    /** Parses a manifest; throws {@link UnitException} with the reason if the bytes are not a valid one. */
    public static UnitManifest read(byte[] json) {
        if (json.length > ManifestLimits.BYTES) {
            throw UnitException.badManifest(
                    "it has %d bytes, at most %d are allowed".formatted(json.length, ManifestLimits.BYTES));
        }
        return ManifestReader.read(json);
    }

    public static byte[] write(UnitManifest manifest) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeNumberField("schema", manifest.schema());
            switch (manifest) {
                case GraphManifest graphs -> graphs(out, graphs);
                case FileManifest files -> files(out, files);
            }
            out.writeEndObject();
        } catch (IOException notText) {
            // Writing to memory cannot fail, so a name is not valid Unicode.
            throw UnitException.badManifest(notText.getMessage(), notText);
        }
        return bytes.toByteArray();
    }

    /** Sorted by name, so that equal manifests are equal bytes. */
    private static void files(JsonGenerator out, FileManifest manifest) throws IOException {
        out.writeStringField("type", manifest.type());
        out.writeArrayFieldStart("files");
        for (Map.Entry<String, Blob> file : new TreeMap<>(manifest.files()).entrySet()) {
            out.writeStartObject();
            out.writeStringField("name", file.getKey());
            out.writeFieldName("blob");
            blob(out, file.getValue());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void graphs(JsonGenerator out, GraphManifest manifest) throws IOException {
        out.writeFieldName("graph");
        blob(out, manifest.graph());
        out.writeArrayFieldStart("weights");
        for (Blob weight : manifest.weights()) {
            blob(out, weight);
        }
        out.writeEndArray();
        tensors(out, "inputs", manifest.inputs());
        tensors(out, "outputs", manifest.outputs());
        out.writeBooleanField("batchable", manifest.batchable());
        out.writeObjectFieldStart("model");
        out.writeNumberField("irVersion", manifest.model().irVersion());
        out.writeNumberField("opset", manifest.model().opset());
        out.writeEndObject();
        if (manifest.schema() > GraphManifest.SCHEMA) {
            beside(out, manifest);
        }
    }

    private static void beside(JsonGenerator out, GraphManifest manifest) throws IOException {
        out.writeStringField("optimization", manifest.optimization().name());
        out.writeArrayFieldStart("entries");
        for (EntryPoint entry : manifest.entries()) {
            out.writeStartObject();
            out.writeStringField("name", entry.name());
            out.writeFieldName("graph");
            blob(out, entry.graph());
            tensors(out, "inputs", entry.inputs());
            tensors(out, "outputs", entry.outputs());
            out.writeStringField("optimization", entry.optimization().name());
            out.writeEndObject();
        }
        out.writeEndArray();
        if (manifest.training().isPresent()) {
            training(out, manifest.training().get());
        }
        if (manifest.labels().isPresent()) {
            labels(out, manifest.labels().get());
        }
        if (!manifest.classes().isEmpty()) {
            classes(out, manifest.classes());
        }
        if (!manifest.defaults().isEmpty()) {
            defaults(out, manifest.defaults());
        }
    }

    private static void defaults(JsonGenerator out, List<InputDefault> defaults) throws IOException {
        out.writeArrayFieldStart("defaults");
        for (InputDefault value : defaults) {
            out.writeStartObject();
            out.writeStringField("input", value.input());
            out.writeArrayFieldStart("shape");
            for (long size : value.shape()) {
                out.writeNumber(size);
            }
            out.writeEndArray();
            out.writeStringField("base64", value.base64());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void classes(JsonGenerator out, List<ClassNames> classes) throws IOException {
        out.writeArrayFieldStart("classes");
        for (ClassNames names : classes) {
            out.writeStartObject();
            out.writeStringField("output", names.output());
            out.writeStringField("datatype", names.datatype().name());
            out.writeArrayFieldStart("names");
            for (String name : names.names()) {
                out.writeString(name);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void labels(JsonGenerator out, LabelRange labels) throws IOException {
        out.writeObjectFieldStart("labels");
        out.writeStringField("input", labels.input());
        out.writeNumberField("classes", labels.classes());
        if (labels.ignored().isPresent()) {
            out.writeNumberField("ignored", labels.ignored().get());
        }
        out.writeEndObject();
    }

    private static void training(JsonGenerator out, TrainingSpec training) throws IOException {
        out.writeObjectFieldStart("training");
        out.writeArrayFieldStart("state");
        for (TrainingSpec.StateTensor state : training.state()) {
            out.writeStartObject();
            out.writeStringField("output", state.output());
            out.writeFieldName("tensor");
            tensor(out, state.tensor());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeFieldName("initial");
        blob(out, training.initial());
        out.writeArrayFieldStart("settings");
        for (TrainingSpec.Setting setting : training.settings()) {
            out.writeStartObject();
            out.writeStringField("input", setting.input());
            out.writeNumberField("otherwise", setting.otherwise());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void blob(JsonGenerator out, Blob blob) throws IOException {
        out.writeStartObject();
        out.writeStringField("digest", blob.digest().value());
        out.writeNumberField("size", blob.size());
        out.writeEndObject();
    }

    private static void tensors(JsonGenerator out, String field, List<TensorSpec> tensors) throws IOException {
        out.writeArrayFieldStart(field);
        for (TensorSpec tensor : tensors) {
            tensor(out, tensor);
        }
        out.writeEndArray();
    }

    private static void tensor(JsonGenerator out, TensorSpec tensor) throws IOException {
        out.writeStartObject();
        type(out, tensor);
        out.writeArrayFieldStart("symbols");
        for (String symbol : tensor.symbols()) {
            out.writeString(symbol);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    static void type(JsonGenerator out, TensorSpec tensor) throws IOException {
        out.writeStringField("name", tensor.name());
        out.writeStringField("datatype", tensor.datatype().name());
        out.writeArrayFieldStart("shape");
        for (long size : tensor.shape()) {
            out.writeNumber(size);
        }
        out.writeEndArray();
    }
}
