package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.unit.ClassNames;
import io.knabla.functions.unit.DataType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rewrites outputs that are no tensors, which the Open Inference Protocol cannot carry: ZipMap's maps become the tensor
 * of scores that ZipMap reads, and a sequence built from a fixed list of tensors becomes one output for each of them,
 * named {@code NAME_0}, {@code NAME_1} and so on. Other outputs stay as they are.
 */
final class TensorOutputs {
    /** Identity is the only operator added, so any version will do. */
    private static final long OPSET = 13;

    private final GraphProto graph;
    private final Map<String, NodeProto> makers = new HashMap<>();
    private final Set<String> read = new HashSet<>();
    private final Map<NodeProto, NodeProto> replaced = new IdentityHashMap<>();
    private final List<NodeProto> added = new ArrayList<>();
    private final List<ValueInfoProto> outputs = new ArrayList<>();
    private final List<ClassNames> classes = new ArrayList<>();

    private TensorOutputs(GraphProto graph) {
        this.graph = graph;
        graph.getNodeList().forEach(node -> {
            node.getOutputList().forEach(output -> makers.put(output, node));
            read.addAll(node.getInputList());
        });
    }

    /** @param classes names of the classes that the unwrapped outputs score */
    record Rewritten(ModelProto model, List<ClassNames> classes) {}

    static Rewritten rewrite(ModelProto model) {
        var rewriting = new TensorOutputs(model.getGraph());
        rewriting.rewriteOutputs();
        return rewriting.outputs.equals(model.getGraph().getOutputList())
                ? new Rewritten(model, List.of())
                : new Rewritten(rewriting.apply(model), rewriting.classes);
    }

    private void rewriteOutputs() {
        for (ValueInfoProto output : graph.getOutputList()) {
            NodeProto maker = makers.get(output.getName());
            String operator = output.getType().hasSequenceType() && maker != null ? operator(maker) : "";
            if (operator.equals("ai.onnx.ml.ZipMap")
                    && maker.getInputCount() == 1
                    && !read.contains(output.getName())) {
                unwrap(maker, output);
            } else if (operator.equals("SequenceConstruct")) {
                number(maker, output);
            } else {
                outputs.add(output);
            }
        }
    }

    private static String operator(NodeProto node) {
        String domain = Model.normalDomain(node.getDomain());
        return domain.isEmpty() ? node.getOpType() : domain + "." + node.getOpType();
    }

    private void unwrap(NodeProto zipMap, ValueInfoProto output) {
        ClassNames names = names(zipMap, output.getName());
        replaced.put(zipMap, identity(zipMap.getInput(0), output.getName()));
        classes.add(names);
        outputs.add(tensor(
                output.getName(),
                ElementType.FLOAT.number(),
                TensorShapeProto.newBuilder()
                        .addDim(batch())
                        .addDim(TensorShapeProto.Dimension.newBuilder()
                                .setDimValue(names.names().size()))
                        .build()));
    }

    private static ClassNames names(NodeProto zipMap, String output) {
        var texts = new ArrayList<String>();
        for (AttributeProto attribute : zipMap.getAttributeList()) {
            if (attribute.getName().equals("classlabels_int64s") && attribute.getIntsCount() > 0) {
                List<String> numbers =
                        attribute.getIntsList().stream().map(String::valueOf).toList();
                return new ClassNames(output, DataType.INT64, numbers);
            }
            if (attribute.getName().equals("classlabels_strings")) {
                attribute.getStringsList().stream()
                        .map(ByteString::toStringUtf8)
                        .forEach(texts::add);
            }
        }
        return new ClassNames(output, DataType.BYTES, texts);
    }

    /**
     * The first dimension of the labels beside the scores or of an input; a variable one if there is any, because
     * onnxmltools declares one label for any number of rows.
     */
    private TensorShapeProto.Dimension batch() {
        List<TensorShapeProto.Dimension> first = Stream.concat(
                        graph.getOutputList().stream(), graph.getInputList().stream())
                .map(value -> value.getType().getTensorType().getShape())
                .filter(shape -> shape.getDimCount() > 0)
                .map(shape -> shape.getDim(0))
                .toList();
        return first.stream()
                .filter(dimension -> !dimension.hasDimValue())
                .findFirst()
                .or(() -> first.stream().findFirst())
                .orElseGet(TensorShapeProto.Dimension::getDefaultInstance);
    }

    private void number(NodeProto sequence, ValueInfoProto output) {
        TypeProto.Tensor element =
                output.getType().getSequenceType().getElemType().getTensorType();
        for (int i = 0; i < sequence.getInputCount(); i++) {
            String name = output.getName() + "_" + i;
            added.add(identity(sequence.getInput(i), name));
            outputs.add(
                    element.hasShape()
                            ? tensor(name, element.getElemType(), element.getShape())
                            : ValueInfoProto.newBuilder()
                                    .setName(name)
                                    .setType(TypeProto.newBuilder().setTensorType(element))
                                    .build());
        }
    }

    private static NodeProto identity(String from, String to) {
        return NodeProto.newBuilder()
                .setOpType("Identity")
                .addInput(from)
                .addOutput(to)
                .build();
    }

    private static ValueInfoProto tensor(String name, int element, TensorShapeProto shape) {
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder()
                                .setElemType(element)
                                .setShape(shape)))
                .build();
    }

    private ModelProto apply(ModelProto model) {
        GraphProto.Builder changed = graph.toBuilder().clearNode().clearOutput();
        graph.getNodeList().forEach(node -> changed.addNode(replaced.getOrDefault(node, node)));
        changed.addAllNode(added).addAllOutput(outputs);
        ModelProto.Builder whole = model.toBuilder().setGraph(changed);
        if (Model.of(model).opset() == 0) {
            whole.addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(OPSET));
        }
        return whole.build();
    }
}
