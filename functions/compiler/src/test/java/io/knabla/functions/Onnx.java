package io.knabla.functions;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.onnx.ElementType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Writes small ONNX models for tests, node by node. Weights are random but always the same. */
public final class Onnx {
    private final ModelProto.Builder model =
            ModelProto.newBuilder().setIrVersion(8).setProducerName("knabla-test");
    private final GraphProto.Builder graph = GraphProto.newBuilder().setName("g");
    private long opset = 17;
    private long seed = 1;

    /**
     * {@code y = W2·relu(W1·x + b1) + b2} for {@code x} of {@code [batch, in]}, as one 1 MB model is with 256, 512,
     * 256.
     */
    public static ModelProto mlp(int in, int hidden, int out) {
        return new Onnx()
                .input("x", ElementType.FLOAT, "batch", in)
                .output("y", ElementType.FLOAT, "batch", out)
                .weights("w1", in, hidden)
                .weights("b1", hidden)
                .weights("w2", hidden, out)
                .weights("b2", out)
                .node("Gemm", List.of("x", "w1", "b1"), "h")
                .node("Relu", List.of("h"), "r")
                .node("Gemm", List.of("r", "w2", "b2"), "y")
                .build();
    }

    /** Triton's classic: sum and difference of two INT32 {@code [1, 16]}. */
    public static ModelProto addSub() {
        return new Onnx()
                .input("INPUT0", ElementType.INT32, 1, 16)
                .input("INPUT1", ElementType.INT32, 1, 16)
                .output("OUTPUT0", ElementType.INT32, 1, 16)
                .output("OUTPUT1", ElementType.INT32, 1, 16)
                .node("Add", List.of("INPUT0", "INPUT1"), "OUTPUT0")
                .node("Sub", List.of("INPUT0", "INPUT1"), "OUTPUT1")
                .build();
    }

    /** {@code y = 2·x} for any batch and any length. */
    public static ModelProto dynamic() {
        return new Onnx()
                .input("x", ElementType.FLOAT, "batch", "length")
                .output("y", ElementType.FLOAT, "batch", "length")
                .node("Add", List.of("x", "x"), "y")
                .build();
    }

    public Onnx opset(long version) {
        opset = version;
        return this;
    }

    public Onnx ir(long version) {
        model.setIrVersion(version);
        return this;
    }

    public Onnx domain(String domain, long version) {
        model.addOpsetImport(OperatorSetIdProto.newBuilder().setDomain(domain).setVersion(version));
        return this;
    }

    public Onnx seed(long seed) {
        this.seed = seed;
        return this;
    }

    /** Dimensions are integers, names, or null for unknown. */
    public Onnx input(String name, ElementType type, Object... dims) {
        graph.addInput(value(name, type, dims));
        return this;
    }

    public Onnx output(String name, ElementType type, Object... dims) {
        graph.addOutput(value(name, type, dims));
        return this;
    }

    public Onnx input(ValueInfoProto input) {
        graph.addInput(input);
        return this;
    }

    /** {@code y = a + x}, or {@code a} without the optional {@code x} of these dimensions. */
    public static ModelProto optionalInput(Object... dims) {
        ValueInfoProto tensor = value("x", ElementType.FLOAT, dims);
        var optional = TypeProto.newBuilder()
                .setOptionalType(TypeProto.Optional.newBuilder().setElemType(tensor.getType()));
        GraphProto with = new Onnx()
                .output("sum", ElementType.FLOAT, "n")
                .node("OptionalGetElement", List.of("x"), "given")
                .node("Add", List.of("a", "given"), "sum")
                .graph();
        GraphProto without = new Onnx()
                .output("same", ElementType.FLOAT, "n")
                .node("Identity", List.of("a"), "same")
                .graph();
        return new Onnx()
                .opset(17)
                .input("a", ElementType.FLOAT, "n")
                .input(tensor.toBuilder().setType(optional).build())
                .output("y", ElementType.FLOAT, "n")
                .node("OptionalHasElement", List.of("x"), "has")
                .node("If", List.of("has"), "y", subgraph("then_branch", with), subgraph("else_branch", without))
                .build();
    }

    public Onnx output(ValueInfoProto output) {
        graph.addOutput(output);
        return this;
    }

    public Onnx node(String op, List<String> inputs, String output, AttributeProto... attributes) {
        return node(op, inputs, List.of(output), attributes);
    }

    public Onnx node(String op, List<String> inputs, List<String> outputs, AttributeProto... attributes) {
        graph.addNode(NodeProto.newBuilder()
                .setOpType(op)
                .setName(op.toLowerCase(java.util.Locale.ROOT) + graph.getNodeCount())
                .addAllInput(inputs)
                .addAllOutput(outputs)
                .addAllAttribute(List.of(attributes)));
        return this;
    }

    public Onnx node(NodeProto node) {
        graph.addNode(node);
        return this;
    }

    /** Normally distributed floats as raw data, small enough to keep activations small. */
    public Onnx weights(String name, long... dims) {
        graph.addInitializer(floats(name, seed + graph.getInitializerCount(), dims));
        return this;
    }

    public Onnx constant(String name, long... values) {
        ByteBuffer raw = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            raw.putLong(value);
        }
        graph.addInitializer(TensorProto.newBuilder()
                .setName(name)
                .setDataType(ElementType.INT64.number())
                .addDims(values.length)
                .setRawData(ByteString.copyFrom(raw.flip())));
        return this;
    }

    public Onnx initializer(TensorProto tensor) {
        graph.addInitializer(tensor);
        return this;
    }

    public GraphProto graph() {
        return graph.build();
    }

    public ModelProto build() {
        return model.clone()
                .setGraph(graph)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(opset))
                .build();
    }

    public static TensorProto floats(String name, long seed, long... dims) {
        int count = 1;
        for (long dim : dims) {
            count *= (int) dim;
        }
        var random = new Random(seed);
        ByteBuffer raw = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            raw.putFloat((float) (random.nextGaussian() * 0.05));
        }
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName(name)
                .setDataType(ElementType.FLOAT.number())
                .setRawData(ByteString.copyFrom(raw.flip()));
        for (long dim : dims) {
            tensor.addDims(dim);
        }
        return tensor.build();
    }

    /** The same tensor with its bytes in a file. */
    public static TensorProto external(TensorProto tensor, String location, long offset, long length) {
        return tensor.toBuilder()
                .clearRawData()
                .setDataLocation(TensorProto.DataLocation.EXTERNAL)
                .addExternalData(entry("location", location))
                .addExternalData(entry("offset", Long.toString(offset)))
                .addExternalData(entry("length", Long.toString(length)))
                .build();
    }

    public static AttributeProto ints(String name, long... values) {
        AttributeProto.Builder attribute =
                AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
        for (long value : values) {
            attribute.addInts(value);
        }
        return attribute.build();
    }

    public static AttributeProto integer(String name, long value) {
        return AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeProto.AttributeType.INT)
                .setI(value)
                .build();
    }

    public static AttributeProto text(String name, String value) {
        return AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeProto.AttributeType.STRING)
                .setS(ByteString.copyFromUtf8(value))
                .build();
    }

    public static AttributeProto subgraph(String name, GraphProto value) {
        return AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeProto.AttributeType.GRAPH)
                .setG(value)
                .build();
    }

    public static AttributeProto tensor(String name, TensorProto value) {
        return AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeProto.AttributeType.TENSOR)
                .setT(value)
                .build();
    }

    public static ValueInfoProto value(String name, ElementType type, Object... dims) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (Object dim : dims) {
            TensorShapeProto.Dimension.Builder one = shape.addDimBuilder();
            if (dim instanceof Number size) {
                one.setDimValue(size.longValue());
            } else if (dim != null) {
                one.setDimParam(dim.toString());
            }
        }
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder()
                                .setElemType(type.number())
                                .setShape(shape)))
                .build();
    }

    public static Path save(ModelProto model, Path file) {
        try {
            return Files.write(file, model.toByteArray());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static StringStringEntryProto entry(String key, String value) {
        return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
    }
}
