package io.knabla.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.DataType;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.protocol.InferRequest.RequestedOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests response bodies: JSON, binary, mixed, and status responses. */
class EncoderTest {
    private static final Tensor BYTES =
            Tensor.numbers("y", DataType.UINT8, new long[] {1, 3}, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    private static final Tensor TEXTS =
            Tensor.texts("z", new long[] {2}, new byte[][] {"é\"\n".getBytes(StandardCharsets.UTF_8), {}});

    private static String[] encode(String id, RequestedOutput... asked) {
        var body = new ResponseEncoder("a \"model\"", "7")
                .encode(new InferRequest(id, List.of(), List.of(asked)), List.of(BYTES, TEXTS));
        assertThat(body.binary()).isEqualTo(body.jsonLength() < body.size());
        return new String[] {
            new String(body.bytes(), 0, body.jsonLength(), StandardCharsets.UTF_8),
            new String(body.bytes(), body.jsonLength(), body.size() - body.jsonLength(), StandardCharsets.ISO_8859_1)
        };
    }

    private static final String HEAD = "{\"model_name\":\"a \\\"model\\\"\",\"model_version\":\"7\"";

    @Test
    void writesOutputsInRequestedOrder() {
        String[] answer = encode("i\u0001", new RequestedOutput(1, false), new RequestedOutput(0, false));
        assertThat(answer[0])
                .isEqualTo(HEAD
                        + ",\"id\":\"i\\u0001\",\"outputs\":[{\"name\":\"z\",\"shape\":[2],\"datatype\":\"BYTES\",\"data\":[\"é\\\"\\u000a\",\"\"]},"
                        + "{\"name\":\"y\",\"shape\":[1,3],\"datatype\":\"UINT8\",\"data\":[1,2,3]}]}");
        assertThat(answer[1]).isEmpty();
    }

    @Test
    void binaryFollowsTheJson() {
        String[] answer = encode(null, new RequestedOutput(1, true), new RequestedOutput(0, true));
        assertThat(answer[0])
                .isEqualTo(
                        HEAD
                                + ",\"outputs\":[{\"name\":\"z\",\"shape\":[2],\"datatype\":\"BYTES\",\"parameters\":{\"binary_data_size\":12}},"
                                + "{\"name\":\"y\",\"shape\":[1,3],\"datatype\":\"UINT8\",\"parameters\":{\"binary_data_size\":3}}]}");
        assertThat(answer[1]).isEqualTo("\u0004\0\0\0\u00c3\u00a9\"\n" + "\0\0\0\0" + "\u0001\u0002\u0003");
    }

    @Test
    void oneOutputMayBeBinaryAndTheOtherJson() {
        String[] answer = encode(null, new RequestedOutput(0, true), new RequestedOutput(1, false));
        assertThat(answer[0]).contains("\"binary_data_size\":3").contains("\"data\":[");
        assertThat(answer[1]).isEqualTo("\u0001\u0002\u0003");
    }

    @Test
    void wantsOnlyRequestedOutputs() {
        var request =
                new InferRequest(null, List.of(), List.of(new RequestedOutput(2, false), new RequestedOutput(0, true)));
        assertThat(request.wanted(4)).containsExactly(true, false, true, false);
    }

    @Test
    void aSliceIsWrittenFromItsPosition() {
        ByteBuffer data = ByteBuffer.wrap(new byte[] {9, 1, 2, 9});
        data.position(1).limit(3);
        Tensor slice = Tensor.numbers("y", DataType.INT8, new long[] {2}, data);
        var encoder = new ResponseEncoder("m", "1");
        var json = encoder.encode(request(false), List.of(slice));
        assertThat(new String(json.bytes(), 0, json.size(), StandardCharsets.UTF_8))
                .contains("\"data\":[1,2]");
        var binary = encoder.encode(request(true), List.of(slice));
        assertThat(binary.size() - binary.jsonLength()).isEqualTo(2);
        assertThat(binary.bytes()[binary.jsonLength()]).isEqualTo((byte) 1);
    }

    private static InferRequest request(boolean binary) {
        return new InferRequest(null, List.of(), List.of(new RequestedOutput(0, binary)));
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                9,
                10,
                11,
                99,
                100,
                1234567890,
                -1,
                -9,
                -10,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                Long.MIN_VALUE + 1
            })
    void numbersAreWrittenAsTheJdkWritesThem(long value) {
        // A capacity of one byte forces the writer to grow.
        var writer = new JsonWriter(1).number(value).raw(';');
        assertThat(text(writer)).isEqualTo(value + ";");
    }

    @Test
    void writerGrowsAsNeeded() {
        var writer = new JsonWriter(1);
        writer.raw("{").text("ü\u001f\u0020\\\"").raw(new byte[] {'a', 'b'}).raw('c');
        writer.raw(ByteBuffer.wrap(new byte[] {'d', 'e', 'f'}));
        writer.littleEndian(0x64636261);
        writer.shape(new long[] {}).shape(new long[] {1}).shape(new long[] {-1, 20, 3});
        assertThat(text(writer)).isEqualTo("{\"ü\\u001f \\\\\\\"\"abcdefabcd[][1][-1,20,3]");
    }

    @Test
    void controlCharactersAreEscaped() {
        for (int c = 0; c < 0x20; c++) {
            assertThat(text(new JsonWriter(1).text("" + (char) c))).isEqualTo("\"\\u%04x\"".formatted(c));
        }
        assertThat(text(new JsonWriter(1).text("\u007f"))).isEqualTo("\"\u007f\"");
    }

    private static String text(JsonWriter writer) {
        return new String(writer.bytes(), 0, writer.size(), StandardCharsets.UTF_8);
    }

    @Test
    void writesStatusResponses() {
        assertThat(ProtocolResponses.server("1.0", false))
                .asString()
                .isEqualTo(
                        "{\"name\":\"knabla\",\"version\":\"1.0\",\"extensions\":[\"binary_tensor_data\",\"model_repository\",\"model_configuration\",\"statistics\"]}");
        assertThat(ProtocolResponses.health(false, true)).asString().isEqualTo("{\"ready\":false,\"live\":true}");
        assertThat(ProtocolResponses.modelReady("m", true)).asString().isEqualTo("{\"name\":\"m\",\"ready\":true}");
        assertThat(ProtocolResponses.repository("m", "2", true))
                .asString()
                .isEqualTo("[{\"name\":\"m\",\"version\":\"2\",\"state\":\"READY\",\"reason\":\"\"}]");
        assertThat(ProtocolResponses.repository("m", "2", false)).asString().contains("\"UNAVAILABLE\"");
    }

    @Test
    void truncatesLongNames() {
        assertThat(Signature.cut("x".repeat(80))).isEqualTo("x".repeat(80));
        assertThat(Signature.cut("x".repeat(81))).isEqualTo("x".repeat(80) + "…");
        assertThatThrownBy(() -> Signature.checkShape(Specs.tensor("a", DataType.INT8, 2), new long[] {3}))
                .hasMessage("input 'a' has shape [3]; this model takes [2] (-1 = any size)");
    }
}
