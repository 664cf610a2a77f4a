package io.knabla.functions.compiler.optimize.merge;

import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.util.ArrayList;
import java.util.List;

/** Concatenates constants of one element type along an axis. */
final class WeightConcatenation {
    private WeightConcatenation() {}

    static TensorProto concat(String name, List<TensorProto> parts, int axis) {
        TensorProto first = parts.getFirst();
        var dims = new ArrayList<>(first.getDimsList());
        dims.set(axis, parts.stream().mapToLong(part -> part.getDims(axis)).sum());
        return TensorProto.newBuilder()
                .setName(name)
                .setDataType(first.getDataType())
                .addAllDims(dims)
                .setRawData(bytes(parts, axis, dims))
                .build();
    }

    private static ByteString bytes(List<TensorProto> parts, int axis, List<Long> dims) {
        long blocks = dims.subList(0, axis).stream().reduce(1L, Math::multiplyExact);
        List<ByteString> raw = parts.stream().map(WeightConcatenation::raw).toList();
        ElementType element = TensorProtos.element(parts.getFirst());
        long elements = dims.stream().reduce(1L, Math::multiplyExact);
        var out = ByteString.newOutput(Math.toIntExact(element.bytes(elements)));
        for (int block = 0; block < blocks; block++) {
            for (ByteString part : raw) {
                int size = Math.toIntExact(part.size() / blocks);
                write(part.substring(block * size, (block + 1) * size), out);
            }
        }
        return out.toByteString();
    }

    private static void write(ByteString bytes, ByteString.Output out) {
        try {
            bytes.writeTo(out);
        } catch (java.io.IOException impossible) {
            throw new java.io.UncheckedIOException(impossible);
        }
    }

    private static ByteString raw(TensorProto tensor) {
        return tensor.hasRawData()
                ? tensor.getRawData()
                : NdArray.of(tensor).toProto("").getRawData();
    }
}
