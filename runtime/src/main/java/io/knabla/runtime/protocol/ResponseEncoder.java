package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.protocol.InferRequest.RequestedOutput;
import io.knabla.runtime.protocol.InferRequest.SharedPart;
import java.nio.ByteBuffer;
import java.util.List;

/** Encodes a run's outputs as the body of an {@code infer} response. */
public final class ResponseEncoder {
    private final byte[] start;

    /**
     * Encoded body: the first {@code size} bytes of {@code bytes}; JSON up to {@code jsonLength}, then binary tensors.
     */
    public record Body(byte[] bytes, int size, int jsonLength) {
        public boolean binary() {
            return jsonLength != size;
        }
    }

    public ResponseEncoder(String model, String version) {
        var json = new JsonWriter(128);
        json.raw("{\"model_name\":").text(model).raw(",\"model_version\":").text(version);
        start = java.util.Arrays.copyOf(json.bytes(), json.size());
    }

    /** @param outputs the outputs that {@code request} asks for, in the model's order */
    public Body encode(InferRequest request, List<Tensor> outputs) {
        var json = new JsonWriter(capacity(request, outputs));
        json.raw(start);
        if (request.id() != null) {
            json.raw(",\"id\":").text(request.id());
        }
        json.raw(",\"outputs\":[");
        boolean binary = false;
        for (int i = 0; i < request.outputs().size(); i++) {
            if (i > 0) {
                json.raw(',');
            }
            RequestedOutput asked = request.outputs().get(i);
            output(json, find(request, asked, outputs), asked);
            binary |= asked.binary();
        }
        json.raw("]}");
        int length = json.size();
        for (int i = 0; binary && i < request.outputs().size(); i++) {
            RequestedOutput asked = request.outputs().get(i);
            if (asked.binary()) {
                bytes(json, find(request, asked, outputs));
            }
        }
        return new Body(json.bytes(), json.size(), length);
    }

    /** Exact enough for binary outputs, which may be large; JSON grows. */
    private static int capacity(InferRequest request, List<Tensor> outputs) {
        long binary = 256;
        long json = 0;
        for (RequestedOutput asked : request.outputs()) {
            Tensor output = find(request, asked, outputs);
            if (output.data() == null) {
                json += 32L * output.elements();
            } else if (asked.shared() != null) {
                json += 256;
            } else if (asked.binary()) {
                binary += 128 + output.data().remaining();
            } else {
                json += 4L * output.data().remaining();
            }
        }
        return (int) Math.min(binary + Math.min(json, 1 << 20), Integer.MAX_VALUE - 8);
    }

    /** Outputs are in the model's order, requested ones in the request's order. */
    private static Tensor find(InferRequest request, RequestedOutput asked, List<Tensor> outputs) {
        int before = 0;
        for (RequestedOutput other : request.outputs()) {
            if (other.index() < asked.index()) {
                before++;
            }
        }
        return outputs.get(before);
    }

    private static void output(JsonWriter json, Tensor output, RequestedOutput asked) {
        json.raw("{\"name\":").text(output.name());
        json.raw(",\"shape\":").shape(output.shape());
        json.raw(",\"datatype\":\"").raw(output.type().name());
        if (asked.shared() != null) {
            shared(json, output, asked.shared());
        } else if (asked.binary()) {
            json.raw("\",\"parameters\":{\"binary_data_size\":")
                    .number(binarySize(output))
                    .raw("}}");
        } else {
            json.raw("\",\"data\":[");
            data(json, output);
            json.raw("]}");
        }
    }

    /** Writes an output into shared memory, and where it is into the response. */
    private static void shared(JsonWriter json, Tensor output, SharedPart into) {
        long size = binarySize(output);
        into.checkRoom(output.name(), size);
        if (output.texts() == null) {
            into.memory().put(output.data().duplicate());
        } else {
            var texts = new JsonWriter((int) size);
            bytes(texts, output);
            into.memory().put(texts.bytes(), 0, texts.size());
        }
        // Triton's C++ client wants a size wherever there are parameters.
        json.raw("\",\"parameters\":{\"binary_data_size\":0,\"shared_memory_region\":")
                .text(into.region())
                .raw(",\"shared_memory_offset\":")
                .number(into.offset())
                .raw(",\"shared_memory_byte_size\":")
                .number(size)
                .raw("}}");
    }

    private static long binarySize(Tensor output) {
        if (output.texts() == null) {
            return output.data().remaining();
        }
        long size = 0;
        for (byte[] text : output.texts()) {
            size += Integer.BYTES + text.length;
        }
        return size;
    }

    private static void bytes(JsonWriter out, Tensor output) {
        if (output.texts() == null) {
            out.raw(output.data());
            return;
        }
        for (byte[] text : output.texts()) {
            out.littleEndian(text.length);
            out.raw(text);
        }
    }

    private static byte[] text(Tensor output, int i) {
        byte[] text = output.texts()[i];
        if (!Utf8.isValid(text)) {
            throw bad(
                    "output '%s' has a text at element %d that is not UTF-8, which JSON cannot hold; call infer and request it with 'binary_data': true",
                    output.name(), i);
        }
        return text;
    }

    private static void data(JsonWriter json, Tensor output) {
        int count = output.elements();
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                json.raw(',');
            }
            element(json, output, i);
        }
    }

    static void element(JsonWriter json, Tensor output, int i) {
        ByteBuffer data = output.data();
        int at = data == null ? 0 : data.position() + i * output.type().bytes();
        switch (output.type()) {
            case FP32 -> Floats.write(json, data.getFloat(at));
            case FP64 -> Floats.write(json, data.getDouble(at));
            case BOOL -> json.raw(data.get(at) != 0 ? "true" : "false");
            case UINT8 -> json.number(data.get(at) & 0xff);
            case INT8 -> json.number(data.get(at));
            case UINT16 -> json.number(data.getShort(at) & 0xffff);
            case INT16 -> json.number(data.getShort(at));
            case UINT32 -> json.number(data.getInt(at) & 0xffffffffL);
            case INT32 -> json.number(data.getInt(at));
            case UINT64 -> json.raw(Long.toUnsignedString(data.getLong(at)));
            case INT64 -> json.number(data.getLong(at));
            case BYTES -> json.text(text(output, i));
            case FP16, BF16 -> Floats.write(json, (float) Elements.real(output.type(), data, i));
        }
    }
}
