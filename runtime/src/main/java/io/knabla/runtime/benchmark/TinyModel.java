package io.knabla.runtime.benchmark;

import io.knabla.functions.unit.GraphManifest;
import java.util.List;

/** Builds ONNX models of one node as protobuf bytes; a replica ships no protobuf library. */
public final class TinyModel {
    static final int FLOAT = 1;
    private static final long IR = 8;
    private static final long OPSET = 17;

    public static final GraphManifest.ModelVersion VERSION = new GraphManifest.ModelVersion(IR, OPSET);

    private TinyModel() {}

    /** {@code y = op(a)} of any shape. */
    public static byte[] unary(String op) {
        return model(op, List.of("a"));
    }

    /** {@code y = op(a, b)} of any shapes. */
    public static byte[] binary(String op) {
        return model(op, List.of("a", "b"));
    }

    private static byte[] model(String op, List<String> inputs) {
        var graph = new ProtobufMessage().bytes(1, node(op, "y", inputs)).text(2, "g");
        inputs.forEach(name -> graph.bytes(11, value(name, FLOAT)));
        graph.bytes(12, value("y", FLOAT));
        return of(graph);
    }

    /** A node with one output. */
    static ProtobufMessage node(String op, String output, List<String> inputs) {
        var node = new ProtobufMessage();
        inputs.forEach(name -> node.text(1, name));
        return node.text(2, output).text(4, op);
    }

    /** A tensor of unknown rank. */
    static ProtobufMessage value(String name, int type) {
        var tensor = new ProtobufMessage().number(1, type);
        return new ProtobufMessage().text(1, name).bytes(2, new ProtobufMessage().bytes(1, tensor));
    }

    static byte[] of(ProtobufMessage graph) {
        return new ProtobufMessage()
                .number(1, IR)
                .bytes(7, graph)
                .bytes(8, new ProtobufMessage().text(1, "").number(2, OPSET))
                .done();
    }
}
