package io.knabla.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.DataType;
import io.knabla.runtime.protocol.InferRequest.RequestedOutput;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the parts of a request other than its data. */
class RequestFormsTest {
    private static final Signature ONE = Specs.signature(Specs.tensor("a", DataType.INT8, "n"));
    private static final String A = "{'name':'a','shape':[1],'datatype':'INT8','data':[7]}";
    private static final String BINARY = "{'name':'a','shape':[1],'datatype':'INT8','parameters':{%s}}";

    private static InferRequest decode(String json) {
        return RequestDecoderTest.decode(ONE, json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {"`'id':'x',`|x", "`'id':'',`|-", "``|-", "`'novel':{'a':[1]},'id':'\\u0041',`|A"})
    void readsId(String field, String id) {
        assertThat(decode("{" + field + "'inputs':[" + A + "]}").id()).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|0=false 1=false",
                "`,'outputs':[]`|0=false 1=false",
                "`,'id':null,'outputs':null,'parameters':null,'novel':null`|0=false 1=false",
                "`,'parameters':{'binary_data_output':null,'timeout':null,'priority':null}`|0=false 1=false",
                "`,'outputs':[{'name':'z','parameters':null}]`|1=false",
                "`,'outputs':[{'name':'z','parameters':{'binary_data':null,'classification':null}}],'parameters':{'binary_data_output':true}`|1=true",
                "`,'parameters':{}`|0=false 1=false",
                "`,'parameters':{'binary_data_output':true}`|0=true 1=true",
                "`,'parameters':{'x':1,'binary_data_output':false}`|0=false 1=false",
                "`,'outputs':[{'name':'z'}]`|1=false",
                "`,'outputs':[{'name':'z','parameters':{'binary_data':true}},{'name':'y'}]`|1=true 0=false",
                "`,'outputs':[{'x':[],'name':'y','parameters':{'y':2,'binary_data':false}}],'parameters':{'binary_data_output':true}`|0=false",
                "`,'outputs':[{'parameters':{},'name':'y'}],'parameters':{'binary_data_output':true}`|0=true"
            })
    void outputsAreChosen(String fields, String expected) {
        String asked = decode("{'inputs':[" + A + "]" + fields + "}").outputs().stream()
                .map(one -> one.index() + "=" + one.binary())
                .collect(Collectors.joining(" "));
        assertThat(asked).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|the JSON ends too early, at byte 0: expected '{' at the start of the request",
                "{'inputs':[A]}x|expected the end of the JSON, found 'x'",
                "{'inputs':[A]|expected ',' or '}'",
                "{'inputs' [A]}|expected ':' after a name, found '['",
                "{inputs:[A]}|expected a name in quotes, found 'i'",
                "{'inputs':{}}|expected '[' at the start of inputs, found '{'",
                "{'inputs':[7]}|expected '{' at the start of an input, found '7'",
                "{'inputs':[A A]}|expected ',' or ']'",
                "{'inputs':[A,A]}|input 'a' is there twice",
                "{'inputs':[{'name':'a' 'shape':[1]}]}|expected ',' or '}'",
                "{'inputs':[{'name':7}]}|expected the name of an input, found '7'",
                "{'inputs':[{'datatype':7}]}|expected a datatype as a text, found '7'",
                "{'inputs':[{'shape':7}]}|expected '[' at the start of a shape, found '7'",
                "{'inputs':[{'shape':[1 2]}]}|expected ',' or ']', found '2'",
                "{'inputs':[{'shape':[-1]}]}|a shape has the dimension -1; write the real size, 0 or more",
                "{'inputs':[{'data':[1],'data':[1]}]}|an input has 'data' twice",
                "{'inputs':[{'data':[1,'shape':[1]}]}|expected",
                "{'inputs':[A],'outputs':7}|expected '[' at the start of outputs, found '7'",
                "{'inputs':[A],'outputs':[7]}|expected '{' at the start of an output, found '7'",
                "{'inputs':[A],'outputs':[{}]}|an output has no 'name'",
                "{'inputs':null}|the request has no 'inputs'",
                "{'inputs':[{'name':null}]}|an input has no 'name'",
                "{'inputs':[{'name':'a','shape':null,'datatype':'INT8'}]}|input 'a' has no 'shape'",
                "{'inputs':[A],'id':nulls}|expected ',' or '}', found 's'",
                "{'inputs':[A],'outputs':[{'name':7}]}|expected the name of an output, found '7'",
                "{'inputs':[A],'outputs':[{'name':'y'} {'name':'z'}]}|expected ',' or ']'",
                "{'inputs':[A],'outputs':[{'name':'y' 'x':1}]}|expected ',' or '}'",
                "{'inputs':[A],'outputs':[{'name':'y','parameters':{'binary_data':1}}]}|expected true or false for binary_data, found '1'",
                "{'inputs':[A],'outputs':[{'name':'y','parameters':7}]}|expected '{' at the start of parameters, found '7'",
                "{'inputs':[A],'outputs':[],'outputs':[]}|the request has 'outputs' twice",
                "{'inputs':[A],'parameters':{'binary_data_output':'yes'}}|expected true or false for binary_data_output",
                "{'inputs':[A],'parameters':{'x':1 'y':2}}|expected ',' or '}'",
                "{'inputs':[{'parameters':7}]}|expected '{' at the start of parameters, found '7'",
                "{'inputs':[{'parameters':{'binary_data_size':-1}}]}|binary_data_size is -1; write the number of bytes",
                "{'inputs':[{'parameters':{'binary_data_size':2147483648}}]}|binary_data_size is 2147483648;",
                "{'inputs':[{'parameters':{'binary_data_size':1 2}}]}|expected ',' or '}'",
                "{'inputs':[{'name':'a','shape':[1],'datatype':'INT8','parameters':{'binary_data_size':2147483647}}]}|claims 2147483647 bytes of binary data, but only 0 are left",
                "{'inputs':[{'name':'a','shape':[2],'datatype':'INT8','data':[1]}]}|but its data has 1",
                "{'inputs':[{'data':[1],'name':'a','shape':[1,1],'datatype':'INT8'}]}|has shape [1, 1]; this model takes [-1]",
                "{'inputs':[{'data':[1],'name':'a','shape':[1],'datatype':'INT16'}]}|has datatype 'INT16'"
            })
    void refuses(String json, String sentence) {
        assertThatThrownBy(() -> decode(json.replace("A", A)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(sentence)
                .extracting(refused -> ((ProtocolException) refused).status())
                .isEqualTo(400);
    }

    @Test
    void nullMembersOfAnInputAreAbsent() {
        for (String parameters : List.of("null", "{'binary_data_size':null,'shared_memory_region':null}")) {
            var request = decode("{'inputs':[" + A.replace("'data'", "'parameters':" + parameters + ",'data'") + "]}");
            assertThat(request.inputs().getFirst().data().get(0)).isEqualTo((byte) 7);
        }
        assertThat(decode("{" + "'novel':null,".repeat(100_000) + "'inputs':[" + A + "]}")
                        .inputs())
                .hasSize(1);
    }

    @Test
    void aByteOrderMarkIsSkipped() {
        assertThat(decode("\uFEFF{'inputs':[" + A + "]}").inputs()).hasSize(1);
        assertThatThrownBy(() -> decode("\uFEFF\uFEFF{}")).hasMessageContaining("at byte 3: expected '{'");
    }

    @Test
    void dataMayPrecedeShape() {
        for (String input : List.of(
                "{'data':[7],'name':'a','shape':[1],'datatype':'INT8'}",
                "{'name':'a','data':[7],'shape':[1],'datatype':'INT8'}",
                "{'name':'a','shape':[1],'data':[7],'datatype':'INT8'}",
                "{'datatype':'INT8','shape':[1],'data':[7],'x':null,'name':'a'}")) {
            var request = decode("{'inputs':[" + input + "],'id':'after'}");
            assertThat(request.inputs().getFirst().data().get(0)).isEqualTo((byte) 7);
            assertThat(request.id()).isEqualTo("after");
        }
    }

    @ParameterizedTest
    @CsvSource({"4, true", "5, true", "32, true", "33, false"})
    void dimensionsAreBounded(int rank, boolean allowed) {
        Object[] dims = IntStream.range(0, rank).mapToObj(i -> "?").toArray();
        String shape = IntStream.range(0, rank).mapToObj(i -> "1").collect(Collectors.joining(","));
        String json = "{'inputs':[{'name':'a','shape':[" + shape + "],'datatype':'INT8','data':[7]}]}";
        var signature = Specs.signature(Specs.tensor("a", DataType.INT8, dims));
        if (allowed) {
            assertThat(RequestDecoderTest.decode(signature, json)
                            .inputs()
                            .getFirst()
                            .shape())
                    .hasSize(rank)
                    .containsOnly(1);
        } else {
            assertThatThrownBy(() -> RequestDecoderTest.decode(signature, json))
                    .hasMessage("a shape has more than 32 dimensions");
        }
    }

    @Test
    void readsBinaryAfterJson() {
        byte[] json = ("{'inputs':[" + BINARY.formatted("'x':1,'binary_data_size':1,'y':{}") + "]}")
                .replace('\'', '"')
                .getBytes();
        byte[] body = java.util.Arrays.copyOf(json, json.length + 3);
        body[json.length] = 42;
        var decoder = RequestDecoderTest.decoder(ONE);
        var request = decoder.decode(body, json.length + 1, "" + json.length);
        assertThat(request.inputs().getFirst().data().get(0)).isEqualTo((byte) 42);
        assertThatThrownBy(() -> decoder.decode(body, json.length + 3, "" + json.length))
                .hasMessageStartingWith("2 bytes of binary data follow the JSON");
        assertThatThrownBy(() -> decoder.decode(body, json.length, "" + json.length))
                .hasMessageContaining("claims 1 bytes of binary data, but only 0 are left");
    }

    @ParameterizedTest
    @CsvSource({
        "'', false",
        "0, true",
        "8, true",
        "9, false",
        "-1, false",
        "12345678901, false",
        "1:, false",
        "/1, false",
        "0000000000, true",
        "00000000000, false"
    })
    void theHeaderLengthIsANumberWithinTheBody(String header, boolean allowed) {
        var decoder = RequestDecoderTest.decoder(ONE);
        // If the length is allowed, the zeros are data or are rejected as JSON.
        assertThatThrownBy(() -> {
                    decoder.decode(new byte[8], 8, header);
                    throw new ProtocolException(200, "decoded");
                })
                .matches(refused ->
                        refused.getMessage().contains("write the bytes of the JSON part, 0 to 8") != allowed);
    }

    @Test
    void aRawRequestNeedsOneInputWithOneOpenDimension() {
        var two = Specs.signature(Specs.tensor("a", DataType.INT8), Specs.tensor("b", DataType.INT8));
        assertThatThrownBy(() -> RequestDecoderTest.decoder(two).decode(new byte[1], 1, "0"))
                .hasMessageContaining("needs a model with one input; this one has 2");
        var open = Specs.signature(Specs.tensor("a", DataType.INT8, "n", "m"));
        assertThatThrownBy(() -> RequestDecoderTest.decoder(open).decode(new byte[1], 1, "0"))
                .hasMessageContaining("can leave one dimension open, not several");
        var fixed = Specs.signature(Specs.tensor("a", DataType.INT16, 2));
        assertThat(RequestDecoderTest.decoder(fixed)
                        .decode(new byte[4], 4, "0")
                        .inputs()
                        .getFirst()
                        .shape())
                .containsExactly(2);
        assertThatThrownBy(() -> RequestDecoderTest.decoder(fixed).decode(new byte[2], 2, "0"))
                .hasMessageContaining("needs 4");
        var zero = Specs.signature(Specs.tensor("a", DataType.INT16, 0, "n"));
        assertThat(RequestDecoderTest.decoder(zero)
                        .decode(new byte[0], 0, "0")
                        .inputs()
                        .getFirst()
                        .shape())
                .containsExactly(0, 0);
    }

    @Test
    void aRawRequestMayBeOneText() {
        var text = Specs.signature(Specs.tensor("a", DataType.BYTES, "n", 1));
        var request = RequestDecoderTest.decoder(text).decode("hé".getBytes(), 3, "0");
        assertThat(Specs.strings(request.inputs().getFirst())).containsExactly("hé");
        assertThat(request.inputs().getFirst().shape()).containsExactly(1, 1);
        assertThat(request.outputs()).containsExactly(new RequestedOutput(0, true), new RequestedOutput(1, true));
        var pair = Specs.signature(Specs.tensor("a", DataType.BYTES, 2));
        assertThatThrownBy(() -> RequestDecoderTest.decoder(pair).decode("x".getBytes(), 1, "0"))
                .hasMessageContaining("has shape [1]; this model takes [2]");
    }
}
