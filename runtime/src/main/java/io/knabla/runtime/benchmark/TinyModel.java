package io.knabla.runtime.benchmark;

import io.knabla.functions.unit.GraphManifest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Builds ONNX models of one node as protobuf bytes; a replica ships no protobuf library. */
public final class TinyModel {
    private static final int FLOAT = 1;
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
        var node = new Message();
        inputs.forEach(name -> node.text(1, name));
        node.text(2, "y").text(4, op);
        var graph = new Message().bytes(1, node).text(2, "g");
        inputs.forEach(name -> graph.bytes(11, value(name)));
        graph.bytes(12, value("y"));
        return new Message()
                .number(1, IR)
                .bytes(7, graph)
                .bytes(8, new Message().text(1, "").number(2, OPSET))
                .done();
    }

    /** A float tensor of unknown rank. */
    private static Message value(String name) {
        var tensor = new Message().number(1, FLOAT);
        return new Message().text(1, name).bytes(2, new Message().bytes(1, tensor));
    }

    /** Writer of one protobuf message, by field numbers. */
    private static final class Message {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Message number(int field, long value) {
            varint((long) field << 3);
            varint(value);
            return this;
        }

        Message text(int field, String text) {
            return bytes(field, text.getBytes(StandardCharsets.UTF_8));
        }

        Message bytes(int field, Message message) {
            return bytes(field, message.done());
        }

        private Message bytes(int field, byte[] bytes) {
            varint((long) field << 3 | 2);
            varint(bytes.length);
            out.writeBytes(bytes);
            return this;
        }

        private void varint(long value) {
            long left = value;
            while (left >= 0x80) {
                out.write((int) (left & 0x7f | 0x80));
                left >>>= 7;
            }
            out.write((int) left);
        }

        byte[] done() {
            return out.toByteArray();
        }
    }
}
