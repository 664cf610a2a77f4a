package io.knabla.functions.compiler.optimize.quantize;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads files as {@code numpy.savez} and {@code savez_compressed} write them. */
class CalibrationSetTest {
    @TempDir
    Path folder;

    private final Map<String, byte[]> arrays = new LinkedHashMap<>();

    private static TensorType type(ElementType element, Object... dims) {
        return TensorType.of(
                element,
                new Shape(java.util.Arrays.stream(dims)
                        .map(d -> d instanceof Integer n ? Dim.of(n) : new Dim.Symbol((String) d))
                        .toList()));
    }

    private static byte[] npy(String type, String shape, byte[] elements) {
        String header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n".formatted(type, shape);
        byte[] text = header.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(10 + text.length + elements.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
                .putShort((short) text.length)
                .put(text)
                .put(elements)
                .array();
    }

    private static byte[] doubles(double... values) {
        ByteBuffer raw = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (double value : values) {
            raw.putDouble(value);
        }
        return raw.array();
    }

    private Path file() throws IOException {
        Path file = folder.resolve("set.npz");
        try (OutputStream out = Files.newOutputStream(file);
                var zip = new ZipOutputStream(out)) {
            for (var array : arrays.entrySet()) {
                zip.putNextEntry(new ZipEntry(array.getKey() + ".npy"));
                zip.write(array.getValue());
            }
        }
        return file;
    }

    private List<String> problems(Map<String, TensorType> inputs) throws IOException {
        return ((CalibrationSet.Read.Refused) CalibrationSet.read(file(), inputs))
                .problems().stream().map(Fault::toString).toList();
    }

    @Test
    void splitsArraysIntoBatches() throws IOException {
        arrays.put("x", npy("<f8", "5, 2", doubles(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)));
        arrays.put("kind", npy("|u1", "5,", new byte[] {1, 2, 3, 4, 5}));

        var inputs = Map.of(
                "x", type(ElementType.FLOAT, "n", 2),
                "kind", type(ElementType.INT64, "n"));
        var set = ((CalibrationSet.Read.Opened) CalibrationSet.read(file(), inputs)).set();

        assertThat(set.examples()).isEqualTo(5);
        List<Map<String, NdArray>> batches = set.batches(2).toList();
        assertThat(batches).hasSize(2);
        assertThat(batches.get(1).get("x")).hasToString("FLOAT[2, 2][5.0, 6.0, 7.0, 8.0]");
        assertThat(batches.get(1).get("kind")).hasToString("INT64[2][3, 4]");
    }

    @Test
    void prefersBatchSizeOfTheModel() throws IOException {
        arrays.put("x", npy("<f8", "4, 1", doubles(1, 2, 3, 4)));

        var inputs = Map.of("x", type(ElementType.FLOAT, 3, 1));
        var set = ((CalibrationSet.Read.Opened) CalibrationSet.read(file(), inputs)).set();

        assertThat(set.batches(1))
                .hasSize(1)
                .first()
                .extracting(b -> b.get("x").dim(0))
                .isEqualTo(3);
    }

    @Test
    void reportsAllFaultsAtOnce() throws IOException {
        arrays.put("x", npy("<f8", "2, 3", doubles(1, 2, 3, 4, 5, 6)));
        arrays.put("ids", npy("<f8", "3,", doubles(1, 2, 3)));
        arrays.put("text", npy("<U5", "2,", new byte[40]));
        arrays.put("short", npy("<f8", "9,", doubles(1)));
        arrays.put("other", "PK".getBytes(StandardCharsets.ISO_8859_1));

        var inputs = new LinkedHashMap<String, TensorType>();
        inputs.put("x", type(ElementType.FLOAT, "n", 2));
        inputs.put("ids", type(ElementType.INT64, "n"));
        inputs.put("text", type(ElementType.FLOAT, "n"));
        inputs.put("short", type(ElementType.FLOAT, "n"));
        inputs.put("other", type(ElementType.FLOAT, "n"));
        inputs.put("none", type(ElementType.FLOAT, "n"));

        assertThat(problems(inputs))
                .containsExactly(
                        "x: has the shape [2, 3], the model wants [n, 2]",
                        "ids: holds DOUBLE, the model wants INT64",
                        "text: holds '<U5'; save numbers with numpy.ascontiguousarray, as one of [<f2, <f4, <f8, <i4, <i8, |b1, |i1, |u1]",
                        "short: a tensor of 72 elements holds 8",
                        "other: is no NumPy array",
                        "none: is missing; the file holds [x, ids, text, short, other]");
    }

    @Test
    void rejectsOtherFiles() throws IOException {
        Path file = Files.writeString(folder.resolve("set.npz"), "x,y\n1,2\n");

        assertThat(CalibrationSet.read(file, Map.of("x", type(ElementType.FLOAT, "n"))))
                .isInstanceOf(CalibrationSet.Read.Refused.class)
                .asString()
                .contains("not a file written by numpy.savez");
    }

    @Test
    void rejectsDifferentNumbersOfExamples() throws IOException {
        arrays.put("a", npy("<f8", "2,", doubles(1, 2)));
        arrays.put("b", npy("<f8", "3,", doubles(1, 2, 3)));

        assertThat(problems(Map.of(
                        "a", type(ElementType.FLOAT, "n"),
                        "b", type(ElementType.FLOAT, "n"))))
                .containsExactly("its arrays hold different numbers of examples");
    }
}
