package io.knabla.functions.compiler.onnx;

import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Array of a {@code .npy} file, NumPy's format: a magic number, a Python dictionary as header, the elements.
 *
 * @param bytes elements in row-major order, little-endian
 */
public record NumpyArray(ElementType element, List<Long> shape, byte[] bytes) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int SHORTEST = 12;
    private static final Pattern DESCR = Pattern.compile("'descr':\\s*'([^']{1,8})'");
    private static final Pattern SHAPE = Pattern.compile("'shape':\\s*\\(([0-9, ]*)\\)");
    private static final Pattern FORTRAN = Pattern.compile("'fortran_order':\\s*True");

    /** Element types by NumPy's kind and size; before them stands the byte order, {@code |} for single bytes. */
    private static final Map<String, ElementType> TYPES = Map.ofEntries(
            Map.entry("b1", ElementType.BOOL),
            Map.entry("u1", ElementType.UINT8),
            Map.entry("u2", ElementType.UINT16),
            Map.entry("u4", ElementType.UINT32),
            Map.entry("u8", ElementType.UINT64),
            Map.entry("i1", ElementType.INT8),
            Map.entry("i2", ElementType.INT16),
            Map.entry("i4", ElementType.INT32),
            Map.entry("i8", ElementType.INT64),
            Map.entry("f2", ElementType.FLOAT16),
            Map.entry("f4", ElementType.FLOAT),
            Map.entry("f8", ElementType.DOUBLE));

    /** @throws IllegalArgumentException with the rest of a sentence that starts with the name of the file */
    public static NumpyArray read(byte[] file) {
        if (file.length < SHORTEST || !Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IllegalArgumentException("is no NumPy array");
        }
        var buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        boolean first = file[MAGIC.length] == 1;
        int start = first ? 10 : 12;
        int length = first ? buffer.getShort(8) & 0xffff : buffer.getInt(8);
        if (length < 0 || length > file.length - start) {
            throw new IllegalArgumentException("breaks off in its header");
        }
        String header = new String(file, start, length, StandardCharsets.ISO_8859_1);
        return array(header, Arrays.copyOfRange(file, start + length, file.length));
    }

    private static NumpyArray array(String header, byte[] bytes) {
        Matcher type = DESCR.matcher(header);
        Matcher shape = SHAPE.matcher(header);
        if (!type.find() || !shape.find()) {
            throw new IllegalArgumentException("has a header that is not understood: " + header.strip());
        }
        String descr = type.group(1);
        ElementType element = descr.startsWith(">") ? null : TYPES.get(descr.substring(1));
        boolean columns = FORTRAN.matcher(header).find();
        if (element == null || columns) {
            throw new IllegalArgumentException(
                    "holds '%s'%s; save numbers with numpy.ascontiguousarray, little-endian, as one of %s"
                            .formatted(descr, columns ? " in Fortran's order" : "", new TreeSet<>(TYPES.keySet())));
        }
        return new NumpyArray(element, shape(shape.group(1)), bytes);
    }

    private static List<Long> shape(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .map(NumpyArray::dim)
                .toList();
    }

    private static long dim(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException absurd) {
            throw new IllegalArgumentException("has a dimension of " + digits, absurd);
        }
    }

    public TensorProto tensor() {
        return TensorProto.newBuilder()
                .setDataType(element.number())
                .addAllDims(shape)
                .setRawData(ByteString.copyFrom(bytes))
                .build();
    }
}
