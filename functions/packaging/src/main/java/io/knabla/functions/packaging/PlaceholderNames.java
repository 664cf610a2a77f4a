package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto.Dimension;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.Locale;
import java.util.Set;

/**
 * Removes names of variable dimensions that stand for any size, such as {@code ?}. Exporters write them for any size,
 * while equal names are equal sizes to the engine.
 */
final class PlaceholderNames {
    private static final Set<String> WORDS = Set.of("none", "null", "any", "unk", "unknown", "dyn", "dynamic");

    private boolean removed;

    private PlaceholderNames() {}

    /** Returns the model itself if it has no such name. */
    static ModelProto remove(ModelProto model) {
        var removing = new PlaceholderNames();
        ModelProto.Builder changed = model.toBuilder();
        removing.graph(changed.getGraphBuilder());
        return removing.removed ? changed.build() : model;
    }

    /** Whether a name can be that of one size: it has a letter, and is no word for an unknown size. */
    static boolean isName(String symbol) {
        return symbol.codePoints().anyMatch(Character::isLetter) && !WORDS.contains(symbol.toLowerCase(Locale.ROOT));
    }

    private void graph(GraphProto.Builder graph) {
        graph.getInputBuilderList().forEach(this::value);
        graph.getOutputBuilderList().forEach(this::value);
        graph.getValueInfoBuilderList().forEach(this::value);
        for (int i = 0; i < graph.getNodeCount(); i++) {
            if (hasBody(graph.getNode(i))) {
                graph.getNodeBuilder(i).getAttributeBuilderList().forEach(this::attribute);
            }
        }
    }

    private static boolean hasBody(NodeProto node) {
        return node.getAttributeList().stream().anyMatch(one -> one.hasG() || one.getGraphsCount() > 0);
    }

    private void attribute(AttributeProto.Builder attribute) {
        attribute.getGraphsBuilderList().forEach(this::graph);
        if (attribute.hasG()) {
            graph(attribute.getGBuilder());
        }
    }

    private void value(ValueInfoProto.Builder value) {
        if (value.hasType()) {
            type(value.getTypeBuilder());
        }
    }

    private void type(TypeProto.Builder type) {
        switch (type.getValueCase()) {
            case TENSOR_TYPE -> {
                if (type.getTensorType().hasShape()) {
                    type.getTensorTypeBuilder()
                            .getShapeBuilder()
                            .getDimBuilderList()
                            .forEach(this::dimension);
                }
            }
            case SEQUENCE_TYPE -> type(type.getSequenceTypeBuilder().getElemTypeBuilder());
            case OPTIONAL_TYPE -> type(type.getOptionalTypeBuilder().getElemTypeBuilder());
            case MAP_TYPE, SPARSE_TENSOR_TYPE, OPAQUE_TYPE, VALUE_NOT_SET -> {}
        }
    }

    private void dimension(Dimension.Builder size) {
        if (size.hasDimParam() && !isName(size.getDimParam())) {
            size.clearValue();
            removed = true;
        }
    }
}
