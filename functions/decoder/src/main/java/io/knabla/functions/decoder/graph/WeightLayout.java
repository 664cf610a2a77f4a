package io.knabla.functions.decoder.graph;

import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorProto.DataLocation;
import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Assigns each initializer its place in the file of weights. */
final class WeightLayout {
    /** Where the engine may map a weight into memory. */
    private static final int ALIGNMENT = 4096;

    private final String file;
    private final List<Placed> placed = new ArrayList<>();
    private final List<TensorProto> initializers = new ArrayList<>();
    private long end;

    /** @param file name of the file of weights, beside the graph */
    WeightLayout(String file) {
        this.file = file;
    }

    /** An initializer's content and the offset of its first byte. */
    record Placed(long offset, WeightForm form) {}

    /** Bytes of the file. */
    long bytes() {
        return end;
    }

    List<Placed> placed() {
        return List.copyOf(placed);
    }

    List<TensorProto> initializers() {
        return List.copyOf(initializers);
    }

    /** Adds an initializer and returns its name. */
    String add(String name, WeightForm form, long... shape) {
        DataType type = form instanceof WeightForm.BlockValues ? DataType.UINT8 : DataType.FLOAT;
        long offset = Math.ceilDiv(end, ALIGNMENT) * ALIGNMENT;
        placed.add(new Placed(offset, form));
        end = offset + bytes(type, shape);
        initializers.add(tensor(name, type, file, offset, shape));
        return name;
    }

    /**
     * An initializer in a file beside the graph.
     *
     * @param type 32-bit floating-point numbers or bytes
     */
    static TensorProto tensor(String name, DataType type, String file, long offset, long... shape) {
        long length = bytes(type, shape);
        var tensor = TensorProto.newBuilder().setName(name).setDataLocation(DataLocation.EXTERNAL);
        tensor.setDataType(type.getNumber());
        for (long size : shape) {
            tensor.addDims(size);
        }
        Map.of("location", file, "offset", Long.toString(offset), "length", Long.toString(length)).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> tensor.addExternalData(StringStringEntryProto.newBuilder()
                        .setKey(entry.getKey())
                        .setValue(entry.getValue())));
        return tensor.build();
    }

    private static long bytes(DataType type, long... shape) {
        long bytes = type == DataType.FLOAT ? Float.BYTES : Byte.BYTES;
        for (long size : shape) {
            bytes = Math.multiplyExact(bytes, size);
        }
        return bytes;
    }
}
