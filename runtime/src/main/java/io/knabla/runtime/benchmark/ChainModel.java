package io.knabla.runtime.benchmark;

import java.util.List;

/**
 * Builds an ONNX model that computes {@code y = op(y, c)} {@code length} times. Both large tensors are made on the
 * device, from the one number of its input, and one slice of the last leaves it: so that a run copies next to nothing.
 *
 * @param op Add, MatMul or Conv, the last with padding for kernels of 3×3
 * @param first shape of y before the first operation
 * @param second shape of c
 * @param length how often it is computed
 */
record ChainModel(String op, List<Long> first, List<Long> second, int length) {
    private static final int INT64 = 7;
    private static final int HALF = 10;
    private static final String NUMBER = "a";

    byte[] inFloat() {
        return model(TinyModel.FLOAT);
    }

    byte[] inHalf() {
        return model(HALF);
    }

    private byte[] model(int type) {
        var graph = new ProtobufMessage()
                .bytes(
                        1,
                        node("Cast", "number", NUMBER)
                                .bytes(5, attribute("to", 2).number(3, type)))
                .bytes(1, node("Expand", "y0", "number", "first"))
                .bytes(1, node("Expand", "c", "number", "second"));
        for (int i = 0; i < length; i++) {
            graph.bytes(1, operation(i));
        }
        graph.bytes(1, node("Slice", "slice", "y" + length, "zero", "one", "zero"))
                .text(2, "g")
                .bytes(5, integers("first", first))
                .bytes(5, integers("second", second))
                .bytes(5, integers("zero", List.of(0L)))
                .bytes(5, integers("one", List.of(1L)))
                .bytes(11, TinyModel.value(NUMBER, TinyModel.FLOAT))
                .bytes(12, TinyModel.value("slice", type));
        return TinyModel.of(graph);
    }

    private ProtobufMessage operation(int index) {
        ProtobufMessage node = node(op, "y" + (index + 1), "y" + index, "c");
        return op.equals("Conv") ? node.bytes(5, padding()) : node;
    }

    private static ProtobufMessage padding() {
        ProtobufMessage pads = attribute("pads", 7);
        for (int side = 0; side < 4; side++) {
            pads.number(8, 1);
        }
        return pads;
    }

    /** @param type number of the attribute's type in ONNX */
    private static ProtobufMessage attribute(String name, int type) {
        return new ProtobufMessage().text(1, name).number(20, type);
    }

    private static ProtobufMessage node(String op, String output, String... inputs) {
        return TinyModel.node(op, output, List.of(inputs));
    }

    private static ProtobufMessage integers(String name, List<Long> values) {
        var tensor = new ProtobufMessage().number(1, values.size()).number(2, INT64);
        values.forEach(value -> tensor.number(7, value));
        return tensor.text(8, name);
    }
}
