package io.knabla.functions.compiler.optimize.quantize;

import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.interpreter.EvaluationException;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads NumPy's {@code .npy} files: a magic number, a header that is a Python literal, the elements. */
final class NpyReader {
    private static final Pattern HEADER =
            Pattern.compile("'descr': *'([^']{1,8})', *'fortran_order': *(True|False), *'shape': *\\(([0-9, ]*)\\)");

    private static final Map<String, ElementType> TYPES = Map.of(
            "<f4", ElementType.FLOAT,
            "<f8", ElementType.DOUBLE,
            "<f2", ElementType.FLOAT16,
            "<i8", ElementType.INT64,
            "<i4", ElementType.INT32,
            "|u1", ElementType.UINT8,
            "|i1", ElementType.INT8,
            "|b1", ElementType.BOOL);

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int VERSION_AT = 6;

    private NpyReader() {}

    /** @throws EvaluationException with a message for the author of the file */
    static NdArray read(byte[] file) {
        if (file.length < 12 || !java.util.Arrays.equals(file, 0, 6, MAGIC, 0, 6)) {
            throw new EvaluationException("is no NumPy array");
        }
        boolean longHeader = file[VERSION_AT] >= 2;
        int length = (file[8] & 0xff) | (file[9] & 0xff) << 8;
        if (longHeader) {
            length |= (file[10] & 0xff) << 16 | (file[11] & 0xff) << 24;
        }
        int start = (longHeader ? 12 : 10) + length;
        if (length < 0 || start < 0 || start > file.length) {
            throw new EvaluationException("ends within its header");
        }
        String header = new String(file, start - length, length, StandardCharsets.ISO_8859_1);
        return array(header, ByteString.copyFrom(file, start, file.length - start));
    }

    private static NdArray array(String header, ByteString elements) {
        Matcher matcher = HEADER.matcher(header);
        if (!matcher.find()) {
            throw new EvaluationException("has a header that is not understood: " + header.strip());
        }
        ElementType element = TYPES.get(matcher.group(1));
        if (element == null || matcher.group(2).equals("True")) {
            throw new EvaluationException("holds '%s'%s; save numbers with numpy.ascontiguousarray, as one of %s"
                    .formatted(
                            matcher.group(1),
                            element == null ? "" : " in Fortran's order",
                            TYPES.keySet().stream().sorted().toList()));
        }
        var tensor = TensorProto.newBuilder().setDataType(element.number());
        for (String dim : matcher.group(3).split(",")) {
            if (!dim.isBlank()) {
                tensor.addDims(dim(dim.strip()));
            }
        }
        return NdArray.of(tensor.setRawData(elements).build());
    }

    private static long dim(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException absurd) {
            throw new EvaluationException("has a dimension of " + digits);
        }
    }
}
