package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes the shapes of function.yaml into inputs and outputs that have none. */
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
        if (value.getType().getTensorType().hasShape()) {
            faults.add(
                    PATH.formatted(value.getName()),
                    "the model itself says its shape; delete this entry, it is for tensors without one");
            return;
        }
        TensorShapeProto.Builder declared =
                value.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder();
        for (int size : shape) {
            TensorShapeProto.Dimension.Builder dimension = declared.addDimBuilder();
            if (size >= 0) {
                dimension.setDimValue(size);
            }
        }
    }
}
