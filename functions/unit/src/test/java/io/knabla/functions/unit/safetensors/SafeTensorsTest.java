package io.knabla.functions.unit.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests reading and writing of safetensors files, against bytes of the official library. */
class SafeTensorsTest {
    /** Written by Hugging Face's own library: {@code save({"b": [1, 2] of F32, "a": [[3]] of I64}, {"step": "7"})}. */
    private static final String THEIRS =
            "{\"__metadata__\":{\"step\":\"7\"},\"a\":{\"dtype\":\"I64\",\"shape\":[1,1],\"data_offsets\":[0,8]},"
                    + "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}}      ";

    private static byte[] file(String header, byte... data) {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + json.length + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(json.length)
                .put(json)
                .put(data)
                .array();
    }

    private static byte[] theirs() {
        ByteBuffer data = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        data.putLong(3).putFloat(1).putFloat(2);
        return file(THEIRS, data.array());
    }

    private static Map<String, byte[]> read(byte[] file) throws IOException {
        var in = new ByteArrayInputStream(file);
        Header header = SafeTensors.readHeader(in);
        var found = new HashMap<String, byte[]>();
        SafeTensors.readData(in, header, slot -> {
            byte[] bytes = new byte[(int) slot.bytes()];
            found.put(slot.name(), bytes);
            return ByteBuffer.wrap(bytes);
        });
        return found;
    }

    private static TensorSpec spec(String name, DataType type, Long... shape) {
        return new TensorSpec(name, type, List.of(shape), Collections.nCopies(shape.length, ""));
    }

    private static byte[] write(Map<String, String> metadata, Values... tensors) throws IOException {
        var content = SafeTensors.content(List.of(tensors), metadata);
        byte[] bytes = content.open().readAllBytes();
        assertThat(content.size()).isEqualTo(bytes.length);
        return bytes;
    }

    @Test
    void readsWhatTheFormatsOwnLibraryWrote() throws IOException {
        Header header = SafeTensors.readHeader(new ByteArrayInputStream(theirs()));

        assertThat(header.metadata()).containsExactly(Map.entry("step", "7"));
        assertThat(header.entries())
                .containsExactly(
                        new TensorEntry("a", DataType.INT64, List.of(1L, 1L), 0, 8),
                        new TensorEntry("b", DataType.FP32, List.of(2L), 8, 16));
        assertThat(read(theirs()).get("b")).containsExactly(0, 0, -128, 63, 0, 0, 0, 64);
    }

    @Test
    void writesWhatTheFormatsOwnLibraryWrites() throws IOException {
        ByteBuffer a =
                ByteBuffer.allocateDirect(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 3);
        ByteBuffer b = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        b.putFloat(0, 1).putFloat(4, 2);

        assertThat(write(
                        Map.of("step", "7"),
                        new Values(spec("a", DataType.INT64, 1L, 1L), a),
                        new Values(spec("b", DataType.FP32, 2L), b)))
                .isEqualTo(theirs());
    }

    @ParameterizedTest
    @EnumSource(names = "BYTES", mode = EnumSource.Mode.EXCLUDE)
    void everyTypeOfNumbersGoesBothWays(DataType type) throws IOException {
        byte[] values = new byte[6 * type.bytes()];
        new Random(1).nextBytes(values);
        var spec = spec("größe \"x\"", type, 3L, 2L);
        byte[] file = write(Map.of(), new Values(spec, ByteBuffer.wrap(values)));

        assertThat(read(file)).hasSize(1);
        assertThat(read(file).get("größe \"x\"")).isEqualTo(values);
        TensorEntry slot =
                SafeTensors.readHeader(new ByteArrayInputStream(file)).entries().getFirst();
        assertThat(slot.type()).isEqualTo(type);
    }

    @Test
    void writesEmptyTensorsAndScalars() throws IOException {
        byte[] file = write(
                Map.of(),
                new Values(spec("none", DataType.FP32, 0L, 5L), ByteBuffer.allocate(0)),
                new Values(spec("one", DataType.INT8), ByteBuffer.wrap(new byte[] {9})),
                new Values(spec("no", DataType.FP64, 0L), ByteBuffer.allocate(0)));

        assertThat(read(file).get("one")).containsExactly(9);
        assertThat(read(file).get("none")).isEmpty();
        assertThat(read(write(Map.of()))).isEmpty();
    }

    @Test
    void buffersOfTheWrongSizeAreRefused() {
        assertThatThrownBy(() -> write(Map.of(), new Values(spec("w", DataType.FP32, 2L), ByteBuffer.allocate(9))))
                .hasMessageContaining("tensor 'w' takes 8 bytes, given were 9");
    }

    @Test
    void skipsATensorWithoutABuffer() throws IOException {
        var in = new ByteArrayInputStream(theirs());
        ByteBuffer b = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        SafeTensors.readData(in, SafeTensors.readHeader(in), slot -> slot.name().equals("b") ? b : null);
        assertThat(b.getFloat(4)).isEqualTo(2);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "I64"             | "C64"              | the element type 'C64' is unknown
                    "I64"             | "I32"              | lies at bytes 0 to 8
                    "I64"             | 5                  | expected VALUE_STRING
                    [1,1]             | [1,-1]             | impossible
                    [1,1]             | [4611686018427387904,2] | cannot be INT64
                    [0,8]             | [0,8,8]            | two data_offsets
                    [0,8]             | [8,16]             | begins at byte 8, expected 0
                    [8,16]            | [0,8]              | begins at byte 0, expected 8
                    [8,16]            | [9,17]             | without holes
                    "shape":[2],      | | dtype, a shape
                    "b":{             | "a":{              | Duplicate field 'a'
                    "shape":[2]       | "shape":[2],"x":1  | expected dtype, shape or data_offsets
                    "7"               | 7                  | expected VALUE_STRING
                    {"__meta          | [{"__meta          | expected START_OBJECT
                    """)
    void refuses(String part, String instead, String why) {
        assertThat(THEIRS).contains(part);
        byte[] file = file(THEIRS.replace(part, instead == null ? "" : instead), new byte[16]);

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(NotSafeTensorsException.class)
                .hasMessageStartingWith("not a safetensors file")
                .hasMessageContaining(why);
    }

    @Test
    void refusesTooLongHeadersAndTrailingBytes() {
        byte[] huge = theirs();
        Arrays.fill(huge, 0, 8, (byte) 0x7f);
        assertThatThrownBy(() -> read(huge)).hasMessageContaining("allowed are 2 to");
        Arrays.fill(huge, 0, 8, (byte) 0xff);
        assertThatThrownBy(() -> read(huge)).hasMessageContaining("18446744073709551615 bytes");
        byte[] more = Arrays.copyOf(theirs(), theirs().length + 1);
        assertThatThrownBy(() -> read(more)).hasMessageContaining("bytes follow the last tensor");
    }

    @Property(tries = 300)
    void neverReadsATruncatedOne(@ForAll @IntRange(min = 0, max = 400) int length) {
        byte[] part = Arrays.copyOf(theirs(), Math.min(length, theirs().length - 1));

        assertThatThrownBy(() -> read(part)).isInstanceOf(NotSafeTensorsException.class);
    }

    @Property(tries = 2000)
    void readsChangedBytesOrRefusesThem(@ForAll @IntRange(min = 0, max = 10_000) int where, @ForAll byte value)
            throws IOException {
        byte[] changed = theirs();
        changed[where % changed.length] = value;
        try {
            assertThat(read(changed).values().stream()
                            .mapToInt(bytes -> bytes.length)
                            .sum())
                    .isEqualTo(16);
        } catch (NotSafeTensorsException refused) {
            assertThat(refused).hasMessageContaining("safetensors");
        }
    }
}
