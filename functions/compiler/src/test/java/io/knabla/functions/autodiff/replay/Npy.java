package io.knabla.functions.autodiff.replay;

import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** NumPy's file format, version 1, row-major and little-endian, as our scripts write it. */
final class Npy {
    private static final Pattern HEADER =
            Pattern.compile("'descr': '([^']+)', 'fortran_order': (True|False), 'shape': \\(([^)]*)\\)");
    private static final int PREFIX = 10;

    private Npy() {}

    static NdArray read(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int length = bytes.getShort(PREFIX - 2);
        String header = new String(file, PREFIX, length, StandardCharsets.ISO_8859_1);
        Matcher matcher = HEADER.matcher(header);
        if (!matcher.find() || matcher.group(2).equals("True")) {
            throw new IllegalArgumentException("not an array that this reads: " + header);
        }
        var tensor =
                TensorProto.newBuilder().setDataType(element(matcher.group(1)).number());
        for (String dim : matcher.group(3).split(",")) {
            if (!dim.isBlank()) {
                tensor.addDims(Long.parseLong(dim.strip()));
            }
        }
        int start = PREFIX + length;
        return NdArray.of(tensor.setRawData(ByteString.copyFrom(file, start, file.length - start))
                .build());
    }

    private static ElementType element(String type) {
        return switch (type) {
            case "<f4" -> ElementType.FLOAT;
            case "<f8" -> ElementType.DOUBLE;
            case "<f2" -> ElementType.FLOAT16;
            case "<i8" -> ElementType.INT64;
            case "<i4" -> ElementType.INT32;
            case "<i2" -> ElementType.INT16;
            case "|i1" -> ElementType.INT8;
            case "|u1" -> ElementType.UINT8;
            case "<u2" -> ElementType.UINT16;
            case "<u4" -> ElementType.UINT32;
            case "<u8" -> ElementType.UINT64;
            case "|b1" -> ElementType.BOOL;
            default -> throw new IllegalArgumentException("no element type for " + type);
        };
    }
}
