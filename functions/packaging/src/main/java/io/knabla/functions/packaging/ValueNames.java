package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import io.knabla.functions.unit.EngineName;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Renames the values of a graph and of its subgraphs: as the engine reads them, and back. */
final class ValueNames {
    private final UnaryOperator<String> rename;

    private ValueNames(UnaryOperator<String> rename) {
        this.rename = rename;
    }

    /** The model as it is stored for the engine. */
    static ModelProto forEngine(ModelProto model) {
        return new ValueNames(EngineName::of).model(model);
    }

    /** The model that was stored. */
    static ModelProto original(ModelProto stored) {
        return new ValueNames(EngineName::original).model(stored);
    }

    /** The same model if its inputs and outputs keep their names: no other names are told the engine. */
    private ModelProto model(ModelProto model) {
        GraphProto graph = model.getGraph();
        boolean same = Stream.of(graph.getInputList(), graph.getOutputList())
                .flatMap(List::stream)
                .allMatch(value -> rename.apply(value.getName()).equals(value.getName()));
        return same ? model : model.toBuilder().setGraph(graph(graph)).build();
    }

    private GraphProto graph(GraphProto graph) {
        GraphProto.Builder renamed = graph.toBuilder();
        renamed.getInputBuilderList().forEach(this::value);
        renamed.getOutputBuilderList().forEach(this::value);
        renamed.getValueInfoBuilderList().forEach(this::value);
        renamed.getInitializerBuilderList().forEach(this::tensor);
        renamed.getSparseInitializerBuilderList().forEach(sparse -> tensor(sparse.getValuesBuilder()));
        renamed.getNodeBuilderList().forEach(this::node);
        return renamed.build();
    }

    private void value(ValueInfoProto.Builder value) {
        value.setName(rename.apply(value.getName()));
    }

    private void tensor(TensorProto.Builder tensor) {
        tensor.setName(rename.apply(tensor.getName()));
    }

    private void node(NodeProto.Builder node) {
        for (int i = 0; i < node.getInputCount(); i++) {
            node.setInput(i, rename.apply(node.getInput(i)));
        }
        for (int i = 0; i < node.getOutputCount(); i++) {
            node.setOutput(i, rename.apply(node.getOutput(i)));
        }
        for (AttributeProto.Builder attribute : node.getAttributeBuilderList()) {
            if (attribute.hasG()) {
                attribute.setG(graph(attribute.getG()));
            }
            for (int i = 0; i < attribute.getGraphsCount(); i++) {
                attribute.setGraphs(i, graph(attribute.getGraphs(i)));
            }
        }
    }
}
