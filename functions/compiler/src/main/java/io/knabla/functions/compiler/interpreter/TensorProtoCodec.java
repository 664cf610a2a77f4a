package io.knabla.functions.compiler.interpreter;

import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads both encodings of {@code TensorProto}, raw little-endian bytes and typed lists, and writes the raw one. */
final class TensorProtoCodec {
    private TensorProtoCodec() {}

    static NdArray read(TensorProto tensor) {
        ElementType element = TensorProtos.element(tensor);
        if (TensorProtos.isExternal(tensor)) {
            throw new EvaluationException("the elements of %s are in a file".formatted(tensor.getName()));
        }
        int[] dims = Dims.of(tensor.getDimsList().stream().mapToLong(dim -> dim).toArray());
        int size = Dims.size(dims);
        if (tensor.hasRawData()) {
            return raw(element, dims, tensor.getRawData(), size);
        }
        return switch (element) {
            case FLOAT -> NdArray.reals(element, dims, listed(tensor.getFloatDataCount(), size, tensor::getFloatData));
            case DOUBLE ->
                NdArray.reals(element, dims, listed(tensor.getDoubleDataCount(), size, tensor::getDoubleData));
            case FLOAT16 ->
                NdArray.reals(
                        element,
                        dims,
                        listed(
                                tensor.getInt32DataCount(),
                                size,
                                i -> Float.float16ToFloat((short) tensor.getInt32Data(i))));
            case BFLOAT16 ->
                NdArray.reals(
                        element,
                        dims,
                        listed(
                                tensor.getInt32DataCount(),
                                size,
                                i -> Precision.fromBrain((short) tensor.getInt32Data(i))));
            case INT64 -> NdArray.whole(element, dims, wholes(tensor.getInt64DataCount(), size, tensor::getInt64Data));
            case UINT32, UINT64 ->
                NdArray.whole(element, dims, wholes(tensor.getUint64DataCount(), size, tensor::getUint64Data));
            case INT32, INT16, INT8, UINT16, UINT8, BOOL ->
                NdArray.whole(element, dims, wholes(tensor.getInt32DataCount(), size, tensor::getInt32Data));
            default -> throw unreadable(element);
        };
    }

    private interface Real {
        double at(int index);
    }

    private interface Integer {
        long at(int index);
    }

    private static double[] listed(int count, int size, Real numbers) {
        check(count, size);
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            values[i] = numbers.at(i);
        }
        return values;
    }

    private static long[] wholes(int count, int size, Integer numbers) {
        check(count, size);
        long[] values = new long[size];
        for (int i = 0; i < size; i++) {
            values[i] = numbers.at(i);
        }
        return values;
    }

    private static void check(long count, long size) {
        if (count != size) {
            throw new EvaluationException("a tensor of %d elements holds %d".formatted(size, count));
        }
    }

    private static NdArray raw(ElementType element, int[] dims, ByteString bytes, int size) {
        if (element.bits() < 8) {
            throw unreadable(element);
        }
        check(bytes.size(), element.bytes(size));
        ByteBuffer in = bytes.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        return switch (element) {
            case FLOAT -> NdArray.reals(element, dims, listed(size, size, i -> in.getFloat()));
            case DOUBLE -> NdArray.reals(element, dims, listed(size, size, i -> in.getDouble()));
            case FLOAT16 -> NdArray.reals(element, dims, listed(size, size, i -> Float.float16ToFloat(in.getShort())));
            case BFLOAT16 -> NdArray.reals(element, dims, listed(size, size, i -> Precision.fromBrain(in.getShort())));
            case INT64, UINT64 -> NdArray.whole(element, dims, wholes(size, size, i -> in.getLong()));
            case INT32, UINT32 -> NdArray.whole(element, dims, wholes(size, size, i -> in.getInt()));
            case INT16, UINT16 -> NdArray.whole(element, dims, wholes(size, size, i -> in.getShort()));
            case INT8, UINT8, BOOL -> NdArray.whole(element, dims, wholes(size, size, i -> in.get()));
            default -> throw unreadable(element);
        };
    }

    static TensorProto write(NdArray array, String name) {
        ElementType element = array.element();
        int size = array.size();
        ByteBuffer out =
                ByteBuffer.allocate(Math.toIntExact(element.bytes(size))).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < size; i++) {
            put(array, i, out);
        }
        var tensor = TensorProto.newBuilder()
                .setName(name)
                .setDataType(element.number())
                .addAllDims(Dims.longs(array.dims()))
                .setRawData(ByteString.copyFrom(out.flip()));
        return tensor.build();
    }

    private static void put(NdArray array, int i, ByteBuffer out) {
        switch (array.element()) {
            case FLOAT -> out.putFloat((float) array.real(i));
            case DOUBLE -> out.putDouble(array.real(i));
            case FLOAT16 -> out.putShort(Float.floatToFloat16((float) array.real(i)));
            case BFLOAT16 -> out.putShort(Precision.toBrain((float) array.real(i)));
            case INT64, UINT64 -> out.putLong(array.whole(i));
            case INT32, UINT32 -> out.putInt((int) array.whole(i));
            case INT16, UINT16 -> out.putShort((short) array.whole(i));
            case INT8, UINT8, BOOL -> out.put((byte) array.whole(i));
            default -> throw unreadable(array.element());
        }
    }

    private static EvaluationException unreadable(ElementType element) {
        return new EvaluationException("no arithmetic on " + element);
    }
}
