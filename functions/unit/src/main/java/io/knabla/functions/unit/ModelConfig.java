package io.knabla.functions.unit;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Configuration of a model as Triton's model configuration extension has it: the response to {@code GET
 * /v2/models/NAME/config}. As there, dimensions are without the first one if requests are batched.
 *
 * @param concurrency runs at once in one replica
 * @param batchDelayMicros how long the first request of a batch waits for others
 * @param batchMaxSize rows that are joined into one run at most; 1 without batching
 */
public record ModelConfig(
        String name, GraphManifest manifest, int concurrency, int batchMaxSize, long batchDelayMicros) {

    public byte[] json() {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = ManifestJson.JSON.createGenerator(bytes)) {
            write(out);
        } catch (IOException notText) {
            throw new UncheckedIOException(notText);
        }
        return bytes.toByteArray();
    }

    private boolean batches() {
        return batchMaxSize > 1 && manifest.batchable();
    }

    private void write(JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("name", name);
        out.writeStringField("platform", ModelMetadata.PLATFORM);
        out.writeStringField("backend", "onnxruntime");
        out.writeStringField("default_model_filename", "model.onnx");
        out.writeNumberField("max_batch_size", batches() ? batchMaxSize : 0);
        tensors(out, "input", manifest.inputs());
        tensors(out, "output", manifest.outputs());
        if (batches()) {
            out.writeObjectFieldStart("dynamic_batching");
            out.writeNumberField("max_queue_delay_microseconds", batchDelayMicros);
            out.writeEndObject();
        }
        out.writeArrayFieldStart("instance_group");
        out.writeStartObject();
        out.writeStringField("name", name);
        out.writeStringField("kind", "KIND_CPU");
        out.writeNumberField("count", concurrency);
        out.writeEndObject();
        out.writeEndArray();
        out.writeObjectFieldStart("parameters");
        out.writeEndObject();
        out.writeEndObject();
    }

    private void tensors(JsonGenerator out, String field, List<TensorSpec> tensors) throws IOException {
        out.writeArrayFieldStart(field);
        for (TensorSpec tensor : tensors) {
            out.writeStartObject();
            out.writeStringField("name", tensor.name());
            out.writeStringField("data_type", type(tensor.datatype()));
            out.writeArrayFieldStart("dims");
            for (long size :
                    tensor.shape().subList(batches() ? 1 : 0, tensor.shape().size())) {
                out.writeNumber(size);
            }
            out.writeEndArray();
            if (field.equals("input") && manifest.isOptional(tensor.name())) {
                out.writeBooleanField("optional", true);
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static String type(DataType type) {
        return switch (type) {
            case BYTES -> "TYPE_STRING";
            case BOOL, UINT8, UINT16, UINT32, UINT64, INT8, INT16, INT32, INT64, FP16, BF16, FP32, FP64 ->
                "TYPE_" + type;
        };
    }
}
