package io.knabla.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.DataType;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.engine.TensorPool;
import io.knabla.runtime.protocol.InferRequest.RequestedOutput;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestDecoderTest {
    private final Signature simple =
            Specs.signature(Specs.tensor("a", DataType.FP32, "n", 2), Specs.tensor("b", DataType.INT8, "n"));
    private final Signature one = Specs.signature(Specs.tensor("a", DataType.UINT16, "n", 2));
    private final Signature text = Specs.signature(Specs.tensor("a", DataType.BYTES, "n"));

    static final String B = "{'name':'b','shape':[1],'datatype':'INT8','data':[7]}";

    static InferRequest decode(Signature signature, String json) {
        byte[] body = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return decoder(signature).decode(body, body.length, null);
    }

    static RequestDecoder decoder(Signature signature) {
        return new RequestDecoder(
                signature,
                TensorPool.of(signature.inputs().stream().map(i -> i.name()).toList()));
    }

    private static InferRequest binary(Signature signature, String json, int... bytes) {
        var body = new ByteArrayOutputStream();
        byte[] head = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        body.writeBytes(head);
        for (int b : bytes) {
            body.write(b);
        }
        return decoder(signature).decode(body.toByteArray(), body.size(), Integer.toString(head.length));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'name':'a','shape':[2,2],'datatype':'FP32','data':[1,2.5,-3e0,4]}",
                "{'name':'a','shape':[2,2],'datatype':'FP32','data':[[1,2.5],[-3,4]]}",
                "{'data':[1,2.5,-3,4],'datatype':'FP32','shape':[2,2],'name':'a'}",
                "{'name':'a','extra':{'x':[1,{}]},'shape':[2,2],'datatype':'FP32','parameters':{'p':1},'data':[1,2.5,-3,4.0]}"
            })
    void readsNumbersInEveryForm(String input) {
        var request = decode(
                simple,
                "{'id':'7','inputs':[{'name':'b','shape':[2],'datatype':'INT8','data':[-128,127]}," + input + "]}");
        Tensor a = request.inputs().getFirst();
        assertThat(a.name()).isEqualTo("a");
        assertThat(a.shape()).containsExactly(2, 2);
        assertThat(new float[] {at(a, 0), at(a, 1), at(a, 2), at(a, 3)}).containsExactly(1, 2.5f, -3, 4);
        assertThat(request.inputs().get(1).data().get(0)).isEqualTo((byte) -128);
        assertThat(request.id()).isEqualTo("7");
        assertThat(request.outputs()).containsExactly(new RequestedOutput(0, false), new RequestedOutput(1, false));
    }

    private static float at(Tensor tensor, int index) {
        return tensor.data().getFloat(index * 4);
    }

    @Test
    void readsBinaryInTheOrderOfTheJson() {
        var request = binary(
                simple,
                "{'inputs':[{'name':'b','shape':[1],'datatype':'INT8','parameters':{'binary_data_size':1}},"
                        + "{'name':'a','shape':[1,2],'datatype':'FP32','parameters':{'binary_data_size':8}}],"
                        + "'outputs':[{'name':'z','parameters':{'binary_data':false}},{'name':'y'}],'parameters':{'binary_data_output':true}}",
                9,
                0,
                0,
                0x80,
                0x3f,
                0,
                0,
                0,
                0xc0);
        assertThat(request.inputs().get(1).data().get(0)).isEqualTo((byte) 9);
        assertThat(at(request.inputs().getFirst(), 0)).isEqualTo(1f);
        assertThat(at(request.inputs().getFirst(), 1)).isEqualTo(-2f);
        assertThat(request.outputs()).isEqualTo(List.of(new RequestedOutput(1, false), new RequestedOutput(0, true)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'inputs':[],'outputs':[{'name':'y','parameters':{'classification':3}}]}",
                "{'inputs':[],'outputs':[{'name':'y','parameters':{'shared_memory_region':'r','shared_memory_byte_size':4}}]}",
                "{'inputs':[{'name':'a','shape':[1,2],'datatype':'FP32','parameters':{'shared_memory_region':'r','shared_memory_byte_size':4}}]}"
            })
    void rejectsUnsupportedExtensions(String request) {
        assertThatThrownBy(() -> decode(simple, request))
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        refused -> assertThat(refused.status()).isEqualTo(501))
                .hasMessageContaining("not supported");
    }

    @Test
    void readsTextsInBothForms() {
        var json = decode(text, "{'inputs':[{'name':'a','shape':[2],'datatype':'BYTES','data':['hé','']}]}");
        assertThat(Specs.strings(json.inputs().getFirst())).containsExactly("hé", "");
        var bytes = binary(
                text,
                "{'inputs':[{'name':'a','shape':[2],'datatype':'BYTES','parameters':{'binary_data_size':10}}]}",
                2,
                0,
                0,
                0,
                'h',
                'i',
                0,
                0,
                0,
                0);
        assertThat(Specs.strings(bytes.inputs().getFirst())).containsExactly("hi", "");
    }

    @Test
    void deducesTheShapeOfARawRequest() {
        var request = decoder(one).decode(new byte[] {1, 0, 2, 0, 3, 0, 4, 0}, 8, "0");
        assertThat(request.inputs().getFirst().shape()).containsExactly(2, 2);
        assertThat(request.outputs()).containsExactly(new RequestedOutput(0, true), new RequestedOutput(1, true));
        assertThatThrownBy(() -> decoder(one).decode(new byte[6], 6, "0")).hasMessageContaining("has 6 bytes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[1,2]|1,3|shape [1, 3]; this model takes [-1, 2]",
                "[1]|1,2|2 elements, but its data has 1",
                "[1,2,3]|1,2|2 elements, but its data has more",
                "[[1,2],[3]]|2,2|an array at depth 2 of its data has 1 items",
                "[[1,2],3]|2,2|mixes arrays",
                "[Nan,1]|1,2|expected a number",
                "[NaN1,1]|1,2|expected ',' or ']'",
                "[1e400,1]|1,2|too large for its datatype",
                "[1e39,1]|1,2|too large for its datatype",
                "['1',2]|1,2|expected a number",
                "[1,2|1,2|expected",
                "[1,]|1,2|expected a number",
                "[+1,2]|1,2|expected a number",
                "[01,2]|1,2|expected a number",
                "[1,2]|1,-2|has the dimension -2",
                "[1,2]|9000000000,2|too large",
                "[1,2]|9000000,2|its data is shorter",
                "[1,2]|900000000,2|too large: at most 2,147,483,647 bytes",
                "[[[1,2]]]|1,2|nested deeper"
            })
    void refusesBadData(String data, String shape, String sentence) {
        assertThatThrownBy(() -> decode(
                        simple,
                        "{'inputs':[{'name':'a','shape':["
                                + shape
                                + "],'datatype':'FP32','data':"
                                + data
                                + "},"
                                + B
                                + "]}"))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}|no 'inputs'",
                "[]|expected '{'",
                "{'inputs':[]}|input 'a' is missing",
                "{'inputs':[],'inputs':[]}|'inputs' twice",
                "{'inputs':[{'name':'c','shape':[1],'datatype':'INT8','data':[1]}]}|unknown input 'c'; this model has 'a', 'b'",
                "{'inputs':[{'name':'b','shape':[1],'datatype':'INT16','data':[1]}]}|has datatype 'INT16'; this model takes INT8",
                "{'inputs':[{'name':'b','shape':[1],'datatype':'INT8','data':[128]}]}|does not fit INT8",
                "{'inputs':[{'name':'b','shape':[1],'datatype':'INT8','data':[1.5]}]}|is no integer",
                "{'inputs':[{'name':'b','shape':[1],'datatype':'INT8'}]}|neither 'data' nor",
                "{'inputs':[{'shape':[1],'datatype':'INT8','data':[1]}]}|no 'name'",
                "{'inputs':[{'name':'b','datatype':'INT8','data':[1]}]}|no 'shape'",
                "{'inputs':[{'name':'b','shape':[1],'data':[1]}]}|no 'datatype'",
                "{'inputs':[{'name':'b','shape':[1],'datatype':'INT8','parameters':{'binary_data_size':1}}]}|only 0 are left",
                "{'inputs':[{'name':'b','shape':[1],'datatype':'INT8','data':[1],'parameters':{'binary_data_size':1}}]}|both 'data' and",
                "{'id':7,'inputs':[]}|the id as a text",
                "{'inputs':[],'outputs':[{'name':'q'}]}|unknown output 'q'",
                "{'inputs':[],'outputs':[{'name':'y'},{'name':'y'}]}|asked twice"
            })
    void refusesBadRequests(String json, String sentence) {
        assertThatThrownBy(() -> decode(simple, json))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void refusesUnequalSizesOfOneSymbol() {
        assertThatThrownBy(() -> decode(
                        simple, "{'inputs':[{'name':'a','shape':[2,2],'datatype':'FP32','data':[1,2,3,4]}," + B + "]}"))
                .hasMessageContaining("dimension 'n' is 2 in input 'a' but 1 in input 'b'");
    }

    @Test
    void refusesBinaryThatDoesNotFit() {
        String b = "{'inputs':[{'name':'a','shape':[1,2],'datatype':'UINT16','parameters':{'binary_data_size':%d}}]}";
        assertThatThrownBy(() -> binary(one, b.formatted(3), 1, 2, 3)).hasMessageContaining("needs 4");
        assertThatThrownBy(() -> binary(one, b.formatted(4), 1, 2, 3, 4, 5))
                .hasMessageContaining("1 bytes of binary data follow");
        assertThatThrownBy(() -> decoder(one).decode(new byte[4], 4, "5")).hasMessageContaining("0 to 4");
        assertThatThrownBy(() -> decoder(one).decode(new byte[4], 4, "x")).hasMessageContaining("0 to 4");
    }
}
