package io.knabla.runtime.answers;

import static io.knabla.runtime.units.GrpcMessages.bytes;
import static io.knabla.runtime.units.GrpcMessages.message;
import static io.knabla.runtime.units.GrpcMessages.shape;
import static io.knabla.runtime.units.GrpcMessages.text;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.unit.DataType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Inputs of one call, which it writes in JSON, in binary and for gRPC. */
record Request(int rows, Map<String, NdArray> numbers, Map<String, Values> texts) {
    private static final ObjectMapper JSON = new ObjectMapper();

    private record Input(String name, DataType type, Values values, ByteString raw) {}

    Request(int rows) {
        this(rows, new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    private List<Input> inputs() {
        var inputs = new ArrayList<Input>();
        numbers.forEach((name, array) -> inputs.add(new Input(
                name,
                DataType.ofOnnx(array.element().number()).orElseThrow(),
                Values.of(array),
                array.toProto("").getRawData())));
        texts.forEach((name, text) -> inputs.add(new Input(name, DataType.BYTES, text, raw(text.data()))));
        return inputs;
    }

    private static ByteString raw(List<?> texts) {
        ByteString raw = ByteString.EMPTY;
        for (Object text : texts) {
            byte[] utf8 = ((String) text).getBytes(StandardCharsets.UTF_8);
            ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            raw = raw.concat(ByteString.copyFrom(length.putInt(utf8.length).array()))
                    .concat(ByteString.copyFrom(utf8));
        }
        return raw;
    }

    byte[] json() throws IOException {
        ObjectNode body = JSON.createObjectNode();
        ArrayNode heads = body.putArray("inputs");
        for (Input input : inputs()) {
            ArrayNode data = head(heads, input).putArray("data");
            boolean truth = input.type == DataType.BOOL;
            input.values.data().forEach(value -> data.addPOJO(truth ? value.equals(1L) : value));
        }
        return JSON.writeValueAsBytes(body);
    }

    /** What precedes {@link #tensors} in a binary body. */
    byte[] heads() throws IOException {
        ObjectNode body = JSON.createObjectNode();
        ArrayNode heads = body.putArray("inputs");
        for (Input input : inputs()) {
            head(heads, input).putObject("parameters").put("binary_data_size", input.raw.size());
        }
        body.putObject("parameters").put("binary_data_output", true);
        return JSON.writeValueAsBytes(body);
    }

    byte[] tensors() {
        return ByteString.copyFrom(inputs().stream().map(Input::raw).toList()).toByteArray();
    }

    ByteString grpc() {
        List<Input> inputs = inputs();
        List<ByteString> heads = inputs.stream()
                .map(input -> message(in -> in.addField(1, text(input.name))
                        .addField(2, text(input.type.name()))
                        .addField(3, shape(input.values.shape()))))
                .toList();
        List<ByteString> tensors = inputs.stream().map(Input::raw).toList();
        return message(m -> m.addField(1, text("m")).addField(5, bytes(heads)).addField(7, bytes(tensors)));
    }

    private static ObjectNode head(ArrayNode inputs, Input input) {
        ObjectNode head = inputs.addObject().put("name", input.name).put("datatype", input.type.name());
        input.values.shape().forEach(head.putArray("shape")::add);
        return head;
    }
}
