package io.knabla.functions.decoder.graph;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A graph that is being built, and its weights. */
final class GraphFile {
    /** The first opset with Gelu's approximation and Split's number of outputs. */
    private static final int OPSET = 21;

    private static final int IR_VERSION = 10;

    private final String weightsFile;
    private final WeightLayout weights;
    private final GraphProto.Builder graph;
    private final GraphNodes nodes;

    /** @param weightsFile name of the file of weights, beside the graph */
    GraphFile(String name, String weightsFile) {
        this.weightsFile = weightsFile;
        this.weights = new WeightLayout(weightsFile);
        this.graph = GraphProto.newBuilder().setName(name);
        this.nodes = new GraphNodes(graph);
    }

    String weightsFile() {
        return weightsFile;
    }

    WeightLayout weights() {
        return weights;
    }

    GraphNodes nodes() {
        return nodes;
    }

    /** @param sizes names and numbers */
    void input(String name, DataType type, Object... sizes) {
        graph.addInput(value(name, type, sizes));
    }

    /** @param sizes names and numbers */
    void output(String name, DataType type, Object... sizes) {
        graph.addOutput(value(name, type, sizes));
    }

    /** Adds an initializer of 32-bit numbers that are the whole of another file beside the graph. */
    void external(String name, String location, long... shape) {
        graph.addInitializer(WeightLayout.tensor(name, DataType.FLOAT, location, 0, shape));
    }

    /** As {@link PackagedGraph#write}. */
    void write(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            model().writeTo(out);
        }
        Path beside = file.resolveSibling(weightsFile);
        if (!Files.exists(beside)) {
            WeightWriter.write(beside, weights);
        }
    }

    private ModelProto model() {
        return ModelProto.newBuilder()
                .setIrVersion(IR_VERSION)
                .setProducerName("knabla")
                .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(OPSET))
                .addOpsetImport(OperatorSetIdProto.newBuilder()
                        .setDomain("com.microsoft")
                        .setVersion(1))
                .setGraph(graph.clone().addAllInitializer(weights.initializers()))
                .build();
    }

    private static ValueInfoProto value(String name, DataType type, Object... sizes) {
        var shape = TensorShapeProto.newBuilder();
        for (Object size : sizes) {
            var dimension = TensorShapeProto.Dimension.newBuilder();
            shape.addDim(
                    size instanceof Integer number
                            ? dimension.setDimValue(number)
                            : dimension.setDimParam(size.toString()));
        }
        var tensor = TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape);
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder().setTensorType(tensor))
                .build();
    }
}
