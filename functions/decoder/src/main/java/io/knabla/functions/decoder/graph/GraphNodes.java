package io.knabla.functions.decoder.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.AttributeProto.AttributeType;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Adds nodes and small constants to a graph; each method returns the name of what it made. */
final class GraphNodes {
    private static final String MICROSOFT = "com.microsoft";

    private final GraphProto.Builder graph;

    GraphNodes(GraphProto.Builder graph) {
        this.graph = graph;
    }

    /** A node of the standard with one output, named {@code name}. */
    String onnx(String name, String operator, List<String> inputs, Map<String, Object> attributes) {
        return add("", operator, inputs, List.of(name), attributes);
    }

    /** A node of ONNX Runtime's own operators with one output, named {@code name}. */
    String contrib(String name, String operator, List<String> inputs, Map<String, Object> attributes) {
        return add(MICROSOFT, operator, inputs, List.of(name), attributes);
    }

    /** A node of ONNX Runtime's own operators; an empty name leaves an output out. */
    void contrib(String operator, List<String> inputs, List<String> outputs, Map<String, Object> attributes) {
        add(MICROSOFT, operator, inputs, outputs, attributes);
    }

    void onnx(String operator, List<String> inputs, List<String> outputs, Map<String, Object> attributes) {
        add("", operator, inputs, outputs, attributes);
    }

    /** A vector of 64-bit numbers. */
    String integers(String name, long... values) {
        var tensor = TensorProto.newBuilder().setName(name).setDataType(TensorProto.DataType.INT64_VALUE);
        tensor.addDims(values.length);
        for (long value : values) {
            tensor.addInt64Data(value);
        }
        graph.addInitializer(tensor);
        return name;
    }

    /** A 64-bit number without dimensions. */
    String integer(String name, long value) {
        graph.addInitializer(TensorProto.newBuilder()
                .setName(name)
                .setDataType(TensorProto.DataType.INT64_VALUE)
                .addInt64Data(value));
        return name;
    }

    /** A number without dimensions. */
    String number(String name, double value) {
        graph.addInitializer(TensorProto.newBuilder()
                .setName(name)
                .setDataType(TensorProto.DataType.FLOAT_VALUE)
                .addFloatData((float) value));
        return name;
    }

    private String add(
            String domain, String operator, List<String> inputs, List<String> outputs, Map<String, Object> attributes) {
        var node = NodeProto.newBuilder().setDomain(domain).setOpType(operator);
        node.setName(outputs.getFirst()).addAllInput(inputs).addAllOutput(outputs);
        attributes.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> node.addAttribute(attribute(entry.getKey(), entry.getValue())));
        graph.addNode(node);
        return outputs.getFirst();
    }

    private static AttributeProto attribute(String name, Object value) {
        var attribute = AttributeProto.newBuilder().setName(name);
        return switch (value) {
            case Integer number ->
                attribute.setType(AttributeType.INT).setI(number).build();
            case Double number ->
                attribute.setType(AttributeType.FLOAT).setF(number.floatValue()).build();
            case String text ->
                attribute
                        .setType(AttributeType.STRING)
                        .setS(ByteString.copyFromUtf8(text))
                        .build();
            case int[] numbers ->
                attribute
                        .setType(AttributeType.INTS)
                        .addAllInts(
                                Arrays.stream(numbers).asLongStream().boxed().toList())
                        .build();
            default -> throw new IllegalArgumentException("attribute " + name + " of type " + value.getClass());
        };
    }
}
