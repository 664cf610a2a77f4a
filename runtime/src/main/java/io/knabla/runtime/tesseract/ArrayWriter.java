package io.knabla.runtime.tesseract;

import com.fasterxml.jackson.core.JsonGenerator;
import io.knabla.functions.unit.DataType;
import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/** Writes tensors as arrays in the encoding that the client accepts. */
final class ArrayWriter {
    private final JsonGenerator out;
    private final Encoding encoding;

    ArrayWriter(JsonGenerator out, Encoding encoding) {
        this.out = out;
        this.encoding = encoding;
    }

    void write(Map<String, Tensor> tensors) throws IOException {
        out.writeStartObject();
        for (var named : tensors.entrySet()) {
            out.writeFieldName(named.getKey());
            write(named.getValue());
        }
        out.writeEndObject();
    }

    private void write(Tensor tensor) throws IOException {
        out.writeStartObject();
        out.writeStringField("object_type", "array");
        out.writeArrayFieldStart("shape");
        for (long size : tensor.shape()) {
            out.writeNumber(size);
        }
        out.writeEndArray();
        out.writeStringField("dtype", Dtypes.name(tensor.type()).orElseThrow());
        out.writeObjectFieldStart("data");
        out.writeFieldName("buffer");
        ByteBuffer data = tensor.data().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        switch (encoding) {
            case JSON -> nested(tensor.type(), data, tensor.shape(), 0, 0);
            case BASE64 -> {
                byte[] bytes = new byte[data.remaining()];
                data.get(bytes);
                out.writeBinary(bytes);
            }
        }
        out.writeStringField("encoding", encoding.inData());
        out.writeEndObject();
        out.writeEndObject();
    }

    /**
     * Writes the block at {@code from}, whose first dimension is {@code depth}; returns the start of the next block.
     */
    private int nested(DataType type, ByteBuffer data, long[] shape, int depth, int from) throws IOException {
        if (depth == shape.length) {
            element(type, data, from);
            return from + 1;
        }
        int next = from;
        out.writeStartArray();
        for (long i = 0; i < shape[depth]; i++) {
            next = nested(type, data, shape, depth + 1, next);
        }
        out.writeEndArray();
        return next;
    }

    private void element(DataType type, ByteBuffer data, int index) throws IOException {
        switch (type) {
            case FP32, FP16, BF16 -> {
                float value = (float) Elements.real(type, data, index);
                if (Float.isFinite(value)) {
                    out.writeNumber(value);
                } else {
                    // As Tesseract's own servers do; its clients read null as NaN.
                    out.writeNull();
                }
            }
            case FP64 -> {
                double value = Elements.real(type, data, index);
                if (Double.isFinite(value)) {
                    out.writeNumber(value);
                } else {
                    out.writeNull();
                }
            }
            case BOOL -> out.writeBoolean(Elements.integer(type, data, index) != 0);
            case UINT64 -> out.writeNumber(Long.toUnsignedString(Elements.integer(type, data, index)));
            case UINT8, UINT16, UINT32, INT8, INT16, INT32, INT64 ->
                out.writeNumber(Elements.integer(type, data, index));
            case BYTES -> throw new IllegalArgumentException("texts are no numbers");
        }
    }
}
