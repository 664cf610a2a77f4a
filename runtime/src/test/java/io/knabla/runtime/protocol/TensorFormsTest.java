package io.knabla.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.protocol.InferRequest.RequestedOutput;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Round-trips tensors of every type through decoder and encoder. */
class TensorFormsTest {
    private static final ResponseEncoder ENCODER = new ResponseEncoder("m", "3");

    private static String input(DataType type, String shape, String data) {
        return "{'inputs':[{'name':'a','shape':%s,'datatype':'%s','data':%s}]}".formatted(shape, type, data);
    }

    private static Tensor decoded(TensorSpec spec, String shape, String data) {
        return RequestDecoderTest.decode(Specs.signature(spec), input(spec.datatype(), shape, data))
                .inputs()
                .getFirst();
    }

    private static String json(Tensor tensor) {
        var body = ENCODER.encode(
                new InferRequest(null, List.of(), List.of(new RequestedOutput(0, false))), List.of(tensor));
        assertThat(body.binary()).isFalse();
        return new String(body.bytes(), 0, body.size(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "BOOL|true,false,1,0|01000100|true,false,true,false",
                "UINT8|0,1,128,255|000180ff|0,1,128,255",
                "INT8|0,1,-128,127|0001807f|0,1,-128,127",
                "UINT16|1,256,32768,65535|010000010080ffff|1,256,32768,65535",
                "INT16|1,-1,-32768,32767|0100ffff0080ff7f|1,-1,-32768,32767",
                "UINT32|1,0,2147483648,4294967295|010000000000000000000080ffffffff|1,0,2147483648,4294967295",
                "INT32|1,-1,-2147483648,2147483647|01000000ffffffff00000080ffffff7f|1,-1,-2147483648,2147483647",
                "UINT64|1,2,9223372036854775808,18446744073709551615|010000000000000002000000000000000000000000000080ffffffffffffffff|1,2,9223372036854775808,18446744073709551615",
                "INT64|1,-1,-9223372036854775808,9223372036854775807|0100000000000000ffffffffffffffff0000000000000080ffffffffffffff7f|1,-1,-9223372036854775808,9223372036854775807",
                "FP32|1,-2,0.5,1e-3|0000803f000000c00000003f6f12833a|1.0,-2.0,0.5,0.001",
                "FP64|1,-2,0.5,1e300|000000000000f03f00000000000000c0000000000000e03f9c7500883ce4377e|1.0,-2.0,0.5,1.0E300",
                "FP16|1,-2,0.1,65504|003c00c0662eff7b|1.0,-2.0,0.099975586,65504.0",
                "BF16|1,-2.5,0.1,0.3|803f20c0cd3d9a3e|1.0,-2.5,0.100097656,0.30078125"
            })
    void roundTripsEveryTypeInBinaryAndJson(DataType type, String data, String hex, String out) {
        TensorSpec spec = Specs.tensor("a", type, "n");
        byte[] expected = HexFormat.of().parseHex(hex);

        Tensor fromJson = decoded(spec, "[4]", "[" + data + "]");
        byte[] bytes = new byte[fromJson.data().remaining()];
        fromJson.data().get(0, bytes);
        assertThat(bytes).isEqualTo(expected);

        Tensor raw = raw(spec, expected);
        assertThat(raw.shape()).containsExactly(4);
        assertThat(json(raw))
                .isEqualTo(
                        "{\"model_name\":\"m\",\"model_version\":\"3\",\"outputs\":[{\"name\":\"a\",\"shape\":[4],\"datatype\":\""
                                + type
                                + "\",\"data\":["
                                + out
                                + "]}]}");
    }

    private static Tensor raw(TensorSpec spec, byte[] body) {
        return RequestDecoderTest.decoder(Specs.signature(spec))
                .decode(body, body.length, "0")
                .inputs()
                .getFirst();
    }

    @Test
    void halfFloatsTakeNoNumberThatTheyLack() {
        assertThatThrownBy(() -> decoded(Specs.tensor("a", DataType.FP16, "n"), "[2]", "[1, 65520]"))
                .hasMessageContaining("the number 65520.0 at byte")
                .hasMessageContaining("is too large for FP16");
        assertThat(json(decoded(Specs.tensor("a", DataType.FP16, "n"), "[2]", "[NaN, -Infinity]")))
                .contains("\"data\":[\"NaN\",\"-Infinity\"]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[NaN, Infinity, -Infinity, 1]",
                "[\"NaN\", \"Infinity\", \"-Infinity\", 1.0]",
                "[null,Infinity,-Infinity,1e0]",
                "[ null , \"Infinity\" , -Infinity , 1 ]"
            })
    void nonFiniteNumbersAreReadInEverySpellingAndWrittenInQuotes(String data) {
        for (DataType type : List.of(DataType.FP32, DataType.FP64)) {
            Tensor tensor = decoded(Specs.tensor("a", type, "n"), "[4]", data);
            assertThat(json(tensor)).contains("\"data\":[\"NaN\",\"Infinity\",\"-Infinity\",1.0]");
        }
    }

    @Test
    void integersAreFinite() {
        for (String data : List.of("[NaN]", "[null]", "[Infinity]", "[\"NaN\"]")) {
            assertThatThrownBy(() -> decoded(Specs.tensor("a", DataType.INT32, "n"), "[1]", data))
                    .hasMessageContaining("expected a number");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[2,2]|[[1,2],[3,4]]",
                "[2,2]|[1,2,3,4]",
                "[1,2,2]|[[[1,2],[3,4]]]",
                "[4,1]|[[1],[2],[3],[4]]",
                "[2,2]| [ [ 1 , 2 ] , [ 3 , 4 ] ] "
            })
    void dataMayBeFlatOrNested(String shape, String data) {
        Object[] dims = Arrays.copyOf(new Object[] {"?", "?", "?"}, shape.split(",").length);
        Tensor tensor = decoded(Specs.tensor("a", DataType.INT8, dims), shape, data);
        assertThat(tensor.elements()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            assertThat(tensor.data().get(i)).isEqualTo((byte) (i + 1));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[2,2]|[[1,2,3],[4]]|an array at depth 2 of its data has 3 items",
                "[1,4]|[[1,2],[3,4]]|an array at depth 2 of its data has 2 items",
                "[2,2]|[[1],[2],[3],[4]]|an array at depth 2 of its data has 1 items",
                "[2,2]|[[1,2]]|an array at depth 1 of its data has 1 items",
                "[2,2]|[[1,2],[3,4],[5,6]]|its data has more",
                "[2,2]|[[1,2],[]]|4 elements, but its data has 2",
                "[2,2]|[]|4 elements, but its data is shorter",
                "[1,2]|[ ]|2 elements, but its data has 0",
                "[2,2]|[1,[2,3,4]]|expected a number, found '['",
                "[2,2]|[[[1,2],[3,4]]]|nested deeper than its shape",
                "[1,1]|7|input 'a': the JSON is malformed at byte 62: expected its data as an array, found '7'",
                "[1,1]|{}|input 'a': the JSON is malformed at byte 62: expected its data as an array, found '{'",
                "[2,2]|[true,1,1,1]|expected a number, found 't'",
                "[2,2]|['1',1,1,1]|expected a number",
                "[2,2]|[1,1,1,1|expected ',' or ']'",
                "[1000000,1000000]|[1]|too large",
                "[65536,32768]|[1]|too large",
                "[65535,32768]|[1]|its data is shorter"
            })
    void badData(String shape, String data, String sentence) {
        assertThatThrownBy(() -> decoded(Specs.tensor("a", DataType.INT8, "?", "?"), shape, data))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void differentDepthsAreRefused() {
        assertThatThrownBy(() -> decoded(Specs.tensor("a", DataType.INT8, "?", "?", "?"), "[1,2,2]", "[[1,2],[[3,4]]]"))
                .hasMessageContaining("nested to different depths");
    }

    @Test
    void acceptsEmptyTensors() {
        assertThat(decoded(Specs.tensor("a", DataType.FP32, "?", "?"), "[0,5]", "[]")
                        .elements())
                .isZero();
        assertThat(decoded(Specs.tensor("a", DataType.FP32, "?", "?"), "[2,0]", "[[],[]]")
                        .elements())
                .isZero();
    }

    @Test
    void aScalarNeedsNoArray() {
        TensorSpec scalar = Specs.tensor("a", DataType.INT16);
        assertThat(decoded(scalar, "[]", "-300").data().getShort(0)).isEqualTo((short) -300);
        assertThat(decoded(scalar, "[]", "[7]").data().getShort(0)).isEqualTo((short) 7);
        assertThatThrownBy(() -> decoded(scalar, "[]", "[7,8]")).hasMessageContaining("has more");
        assertThatThrownBy(() -> decoded(scalar, "[]", "[[7]]")).hasMessageContaining("deeper");
    }

    @ParameterizedTest
    @CsvSource({
        "2, 'does not fit BOOL, which is true, false, 1 or 0'",
        "tru, expected",
        "-1, does not fit BOOL",
        "null, expected a number"
    })
    void rejectsNonBooleans(String data, String sentence) {
        assertThatThrownBy(() -> decoded(Specs.tensor("a", DataType.BOOL, "n"), "[1]", "[" + data + "]"))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void binaryBooleansAreZeroOrOne() {
        TensorSpec spec = Specs.tensor("a", DataType.BOOL, "n");
        assertThat(raw(spec, new byte[] {0, 1, 1}).shape()).containsExactly(3);
        for (byte wrong : new byte[] {2, -1, (byte) 0x80}) {
            assertThatThrownBy(() -> raw(spec, new byte[] {0, 1, wrong}))
                    .hasMessageContaining("input 'a' is BOOL, but byte 2");
        }
    }

    private static Tensor texts(int count, int... bytes) {
        var body = new ByteArrayOutputStream();
        byte[] head = "{'inputs':[{'name':'a','shape':[%d],'datatype':'BYTES','parameters':{'binary_data_size':%d}}]}"
                .formatted(count, bytes.length)
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8);
        body.writeBytes(head);
        for (int b : bytes) {
            body.write(b);
        }
        return RequestDecoderTest.decoder(Specs.signature(Specs.tensor("a", DataType.BYTES, "n")))
                .decode(body.toByteArray(), body.size(), Integer.toString(head.length))
                .inputs()
                .getFirst();
    }

    @Test
    void binaryTextsCarryTheirLength() {
        assertThat(Specs.strings(texts(1, 2, 0, 0, 0, 0xc3, 0xa9))).containsExactly("é");
        assertThat(Specs.strings(texts(2, 1, 0, 0, 0, 'a', 0, 0, 0, 0))).containsExactly("a", "");
        assertThat(Specs.strings(texts(0))).isEmpty();
        assertThatThrownBy(() -> texts(1, 1, 0, 0, 0, 0xc3)).hasMessageContaining("is not UTF-8");
    }

    @Test
    void binaryTextsEndWithTheData() {
        for (int[] bytes :
                new int[][] {{}, {1, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0, 'a'}, {0xff, 0xff, 0xff, 0xff, 'a'}}) {
            assertThatThrownBy(() -> texts(1, bytes))
                    .hasMessageContaining("1 elements, but its binary data ends before");
        }
        assertThatThrownBy(() -> texts(2, 4, 0, 0, 0, 'a', 'b', 'c', 'd')).hasMessageContaining("ends before");
        assertThatThrownBy(() -> texts(1, 0, 0, 0, 0, 'x'))
                .hasMessageContaining("has 1 bytes after its last element; shape [1] has 1 elements");
    }
}
