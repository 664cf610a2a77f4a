package io.knabla.controller.cli.tensors;

import io.knabla.controller.cli.CliFailure;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a {@code .npy} file, NumPy's format for one array: a Python dictionary as header, then the values. */
final class NumpyFile {
    private static final Pattern DESCR = Pattern.compile("'descr':\\s*'([<>|=]?)([a-z])(\\d+)'");
    private static final Pattern SHAPE = Pattern.compile("'shape':\\s*\\(([0-9, ]*)\\)");
    private static final Pattern FORTRAN = Pattern.compile("'fortran_order':\\s*True");

    /** Datatypes of the protocol by NumPy's kind and size. */
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("b1", "BOOL"),
            Map.entry("u1", "UINT8"),
            Map.entry("u2", "UINT16"),
            Map.entry("u4", "UINT32"),
            Map.entry("u8", "UINT64"),
            Map.entry("i1", "INT8"),
            Map.entry("i2", "INT16"),
            Map.entry("i4", "INT32"),
            Map.entry("i8", "INT64"),
            Map.entry("f2", "FP16"),
            Map.entry("f4", "FP32"),
            Map.entry("f8", "FP64"));

    private NumpyFile() {}

    static Tensor tensor(String name, byte[] file) {
        var buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        if (file.length < 12) {
            throw CliFailure.failed("the .npy file ends within its header; save it again");
        }
        boolean first = file[6] == 1;
        int start = first ? 10 : 12;
        int length = first ? buffer.getShort(8) & 0xffff : buffer.getInt(8);
        if (length < 0 || length > file.length - start) {
            throw CliFailure.failed("the .npy file ends within its header; save it again");
        }
        String header = new String(file, start, length, StandardCharsets.ISO_8859_1);
        Matcher type = DESCR.matcher(header);
        Matcher shape = SHAPE.matcher(header);
        if (!type.find() || !shape.find() || !TYPES.containsKey(type.group(2) + type.group(3))) {
            throw CliFailure.failed(
                    "cannot use this .npy array (%s). Save one of numbers, as in"
                            + " numpy.save(file, array.astype('float32')).",
                    header.strip());
        }
        if (FORTRAN.matcher(header).find() || type.group(1).equals(">")) {
            throw CliFailure.failed(
                    "this .npy array is stored by columns or big-endian. Save it with"
                            + " numpy.ascontiguousarray(array).astype('<%s').",
                    type.group(2) + type.group(3));
        }
        byte[] values = Arrays.copyOfRange(file, start + length, file.length);
        return new Tensor(name, TYPES.get(type.group(2) + type.group(3)), shape(shape.group(1)), values);
    }

    private static List<Long> shape(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .map(Long::valueOf)
                .toList();
    }
}
