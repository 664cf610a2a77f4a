package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import io.knabla.functions.compiler.onnx.Model;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Gives every output of a subgraph or of a local function a node of its own: an Identity, where the output is an input,
 * an initializer or a value of the enclosing graph, or is listed twice. ONNX Runtime 1.29 refuses some of these,
 * returns unwritten memory for others (Scan, If), and for Loop's scan outputs the last value in place of each
 * iteration's.
 */
final class BodyOutputs {
    /** From this opset on Identity takes sequences and optional values, too. */
    private static final long TAKES_ALL_TYPES = 16;

    private final boolean takesAllTypes;
    private final Set<String> names = new HashSet<>();

    private BodyOutputs(ModelProto model) {
        takesAllTypes = Model.of(model).opset() >= TAKES_ALL_TYPES;
        collect(model.getGraph());
        model.getFunctionsList().forEach(function -> collect(function.getInputList(), function.getNodeList()));
    }

    static ModelProto rewrite(ModelProto model) {
        boolean without = model.getFunctionsCount() == 0
                && model.getGraph().getNodeList().stream().noneMatch(BodyOutputs::hasBody);
        if (without) {
            return model;
        }
        var rewriting = new BodyOutputs(model);
        ModelProto.Builder changed = model.toBuilder();
        changed.setGraph(rewriting.graph(model.getGraph(), false));
        for (int i = 0; i < model.getFunctionsCount(); i++) {
            changed.setFunctions(i, rewriting.function(model.getFunctions(i)));
        }
        return changed.build();
    }

    private static boolean hasBody(NodeProto node) {
        return node.getAttributeList().stream().anyMatch(one -> one.hasG() || one.getGraphsCount() > 0);
    }

    private void collect(GraphProto graph) {
        graph.getInitializerList().stream().map(TensorProto::getName).forEach(names::add);
        graph.getSparseInitializerList()
                .forEach(one -> names.add(one.getValues().getName()));
        collect(graph.getInputList().stream().map(ValueInfoProto::getName).toList(), graph.getNodeList());
    }

    private void collect(List<String> inputs, List<NodeProto> nodes) {
        names.addAll(inputs);
        for (NodeProto node : nodes) {
            names.addAll(node.getOutputList());
            for (AttributeProto attribute : node.getAttributeList()) {
                attribute.getGraphsList().forEach(this::collect);
                if (attribute.hasG()) {
                    collect(attribute.getG());
                }
            }
        }
    }

    private GraphProto graph(GraphProto graph, boolean body) {
        List<NodeProto> nodes = nodes(graph.getNodeList());
        List<ValueInfoProto> outputs = new ArrayList<>(graph.getOutputList());
        if (body) {
            var made = new Made(nodes);
            outputs.replaceAll(output -> takesAllTypes || output.getType().hasTensorType()
                    ? output.toBuilder().setName(made.output(output.getName())).build()
                    : output);
        }
        return graph.toBuilder()
                .clearNode()
                .addAllNode(nodes)
                .clearOutput()
                .addAllOutput(outputs)
                .build();
    }

    private FunctionProto function(FunctionProto function) {
        List<NodeProto> nodes = nodes(function.getNodeList());
        var made = new Made(nodes);
        List<String> outputs = new ArrayList<>(function.getOutputList());
        outputs.replaceAll(made::output);
        return function.toBuilder()
                .clearNode()
                .addAllNode(nodes)
                .clearOutput()
                .addAllOutput(outputs)
                .build();
    }

    private List<NodeProto> nodes(List<NodeProto> nodes) {
        List<NodeProto> changed = new ArrayList<>(nodes);
        changed.replaceAll(node -> hasBody(node) ? node(node) : node);
        return changed;
    }

    private NodeProto node(NodeProto node) {
        NodeProto.Builder changed = node.toBuilder();
        for (AttributeProto.Builder attribute : changed.getAttributeBuilderList()) {
            if (attribute.hasG()) {
                attribute.setG(graph(attribute.getG(), true));
            }
            for (int i = 0; i < attribute.getGraphsCount(); i++) {
                attribute.setGraphs(i, graph(attribute.getGraphs(i), true));
            }
        }
        return changed.build();
    }

    /** The outputs of one body; adds to its nodes what makes the missing ones. */
    private final class Made {
        private final List<NodeProto> nodes;
        private final Set<String> free = new HashSet<>();

        Made(List<NodeProto> nodes) {
            this.nodes = nodes;
            nodes.forEach(node -> free.addAll(node.getOutputList()));
        }

        String output(String name) {
            if (free.remove(name)) {
                return name;
            }
            String fresh = name + ".out";
            while (!names.add(fresh)) {
                fresh += "_";
            }
            nodes.add(NodeProto.newBuilder()
                    .setOpType("Identity")
                    .setName(fresh)
                    .addInput(name)
                    .addOutput(fresh)
                    .build());
            return fresh;
        }
    }
}
