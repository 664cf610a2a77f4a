package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto.Dimension;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes the shapes of function.yaml into inputs and outputs, in place of what the model says of their sizes. */
final class DeclaredShapes {
    private static final String PATH = "spec.shapes['%s']";

    private final Map<String, List<Integer>> shapes;
    private final FaultCollector faults;
    private final Set<String> unused;

    private DeclaredShapes(Map<String, List<Integer>> shapes, FaultCollector faults) {
        this.shapes = shapes;
        this.faults = faults;
        this.unused = new HashSet<>(shapes.keySet());
    }

    static ModelProto write(ModelProto model, Map<String, List<Integer>> shapes, FaultCollector faults) {
        return shapes.isEmpty() ? model : new DeclaredShapes(shapes, faults).write(model);
    }

    private ModelProto write(ModelProto model) {
        GraphProto.Builder graph = model.getGraph().toBuilder();
        graph.getInputBuilderList().forEach(this::write);
        graph.getOutputBuilderList().forEach(this::write);
        forgetInnerShapes(graph);
        for (String name : unused) {
            faults.add(PATH.formatted(name), "the model has no input or output of this name");
        }
        return model.toBuilder().setGraph(graph).build();
    }

    private void write(ValueInfoProto.Builder value) {
        List<Integer> shape = shapes.get(value.getName());
        if (shape == null || !value.getType().hasTensorType()) {
            return;
        }
        unused.remove(value.getName());
        boolean known = value.getType().getTensorType().hasShape();
        TensorShapeProto.Builder declared =
                value.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder();
        if (!known) {
            shape.forEach(size -> set(declared.addDimBuilder(), size));
        } else if (shape.size() != declared.getDimCount()) {
            faults.add(
                    PATH.formatted(value.getName()),
                    "found %d sizes, but it has %d dimensions in the model; write one size for each, -1 for a variable one",
                    shape.size(),
                    declared.getDimCount());
        } else {
            for (int d = 0; d < shape.size(); d++) {
                replace(value.getName(), d, declared.getDimBuilder(d), shape.get(d));
            }
        }
    }

    private void replace(String name, int index, Dimension.Builder dimension, int size) {
        // Some exporters write -1 for a variable size.
        boolean fixed = dimension.hasDimValue() && dimension.getDimValue() >= 0;
        if (fixed && size >= 0 && dimension.getDimValue() != size) {
            faults.add(
                    PATH.formatted(name),
                    "found %d for dimension %d, which is %d in the model; write that, or -1 if it may vary",
                    size,
                    index,
                    dimension.getDimValue());
            return;
        }
        set(dimension, size);
    }

    private static void set(Dimension.Builder dimension, int size) {
        dimension.clearValue();
        if (size >= 0) {
            dimension.setDimValue(size);
        }
    }

    /** The shapes of inner values follow from the inputs; those in the file may be of the sizes that were replaced. */
    private static void forgetInnerShapes(GraphProto.Builder graph) {
        graph.getValueInfoBuilderList().stream()
                .filter(value -> value.getType().hasTensorType())
                .forEach(value -> value.getTypeBuilder().getTensorTypeBuilder().clearShape());
        for (int i = 0; i < graph.getNodeCount(); i++) {
            if (graph.getNode(i).getAttributeList().stream().anyMatch(DeclaredShapes::isBody)) {
                graph.getNodeBuilder(i).getAttributeBuilderList().forEach(DeclaredShapes::forgetInnerShapes);
            }
        }
    }

    private static boolean isBody(AttributeProto attribute) {
        return attribute.hasG() || attribute.getGraphsCount() > 0;
    }

    private static void forgetInnerShapes(AttributeProto.Builder attribute) {
        attribute.getGraphsBuilderList().forEach(DeclaredShapes::forgetInnerShapes);
        if (attribute.hasG()) {
            forgetInnerShapes(attribute.getGBuilder());
        }
    }
}
