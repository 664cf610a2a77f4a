package io.knabla.bench.model;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Multi-layer perceptron: dense layers with ReLU between them, weights from a fixed seed.
 *
 * @param kind how weights are drawn
 * @param widths of the input, each hidden layer and the output
 */
public record Mlp(Weights kind, int... widths) {
    static final String INPUT = "input";
    static final String OUTPUT = "output";
    private static final long SEED = 20261121;

    /** 1.0 MB of weights. */
    public static Mlp ofOneMegabyte() {
        return new Mlp(Weights.RANDOM, 64, 400, 480, 64);
    }

    /** 102 MB of weights. */
    public static Mlp ofHundredMegabytes() {
        return new Mlp(Weights.RANDOM, 64, 2900, 2900, 2900, 2900, 64);
    }

    /**
     * 256 thin layers, 1.0 MB: the engine's overhead per node dominates, not arithmetic. Each layer is near the
     * identity, because values vanish or explode in a long chain of random layers.
     */
    public static Mlp deepAndThin() {
        int[] widths = new int[257];
        Arrays.fill(widths, 32);
        return new Mlp(Weights.NEARLY_IDENTITY, widths);
    }

    /** How a layer's weights are drawn. */
    enum Weights {
        RANDOM,
        NEARLY_IDENTITY
    }

    public ModelProto onnx() {
        GraphProto.Builder graph = GraphProto.newBuilder().setName("mlp");
        graph.addInput(value(INPUT, widths[0]));
        graph.addOutput(value(OUTPUT, widths[widths.length - 1]));
        var random = new Random(SEED);
        String from = INPUT;
        int last = widths.length - 2;
        for (int layer = 0; layer <= last; layer++) {
            String sum = layer == last ? OUTPUT : "sum" + layer;
            graph.addInitializer(weights(layer, random)).addInitializer(bias(layer));
            graph.addNode(node("Gemm", sum, from, "weight" + layer, "bias" + layer));
            if (layer < last) {
                from = "relu" + layer;
                graph.addNode(node("Relu", from, sum));
            }
        }
        return ModelProto.newBuilder()
                .setIrVersion(8)
                .setProducerName("knabla-bench")
                .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(17))
                .setGraph(graph)
                .build();
    }

    private static NodeProto node(String type, String output, String... inputs) {
        NodeProto.Builder node = NodeProto.newBuilder().setOpType(type).setName(output);
        node.addOutput(output).addAllInput(List.of(inputs));
        if (type.equals("Gemm")) {
            node.addAttribute(AttributeProto.newBuilder()
                    .setName("transB")
                    .setType(AttributeProto.AttributeType.INT)
                    .setI(0));
        }
        return node.build();
    }

    private TensorProto weights(int layer, Random random) {
        int in = widths[layer];
        int out = widths[layer + 1];
        ByteBuffer raw = ByteBuffer.allocate(in * out * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int cell = 0; cell < in * out; cell++) {
            float noise = 2 * random.nextFloat() - 1;
            raw.putFloat(
                    switch (kind) {
                        // He initialisation: keeps the variance through ReLU.
                        case RANDOM -> noise * (float) Math.sqrt(6.0 / in);
                        case NEARLY_IDENTITY -> noise / 100 + (cell / out == cell % out ? 1 : 0);
                    });
        }
        return tensor("weight" + layer, raw.flip(), in, out);
    }

    private TensorProto bias(int layer) {
        int out = widths[layer + 1];
        return tensor("bias" + layer, ByteBuffer.allocate(out * Float.BYTES), out);
    }

    private static TensorProto tensor(String name, ByteBuffer raw, long... shape) {
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName(name)
                .setDataType(TensorProto.DataType.FLOAT.getNumber())
                .setRawData(ByteString.copyFrom(raw));
        for (long size : shape) {
            tensor.addDims(size);
        }
        return tensor.build();
    }

    private static ValueInfoProto value(String name, int width) {
        var shape = TensorShapeProto.newBuilder()
                .addDim(TensorShapeProto.Dimension.newBuilder().setDimParam("batch"))
                .addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(width));
        var tensor = TypeProto.Tensor.newBuilder()
                .setElemType(TensorProto.DataType.FLOAT.getNumber())
                .setShape(shape);
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder().setTensorType(tensor))
                .build();
    }
}
