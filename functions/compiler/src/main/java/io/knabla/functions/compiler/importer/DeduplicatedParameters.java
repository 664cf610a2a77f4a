package io.knabla.functions.compiler.importer;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.Graph;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Restores parameters that PyTorch's older exporter deduplicated. The exporter keeps one of several equal parameters
 * and replaces each other one by an Identity with its name: biases that all begin at zero, norms that begin at one.
 * They become separate tensors again, because their gradients differ. Tied weights are exported in the same way, but
 * their elements are hardly ever all equal; they stay tied.
 */
final class DeduplicatedParameters {
    private DeduplicatedParameters() {}

    static Graph restore(Graph graph) {
        var initializers = new LinkedHashMap<>(graph.initializers());
        var nodes = new ArrayList<Node>(graph.nodes().size());
        for (Node node : graph.nodes()) {
            if (twin(graph, node)) {
                String name = node.outputs().getFirst();
                TensorProto tensor = graph.initializers().get(node.input(0));
                initializers.put(name, tensor.toBuilder().setName(name).build());
            } else {
                nodes.add(node);
            }
        }
        return new Graph(
                graph.name(),
                List.copyOf(nodes),
                graph.inputs(),
                graph.outputs(),
                graph.results(),
                initializers,
                graph.values());
    }

    private static boolean twin(Graph graph, Node node) {
        if (!node.qualifiedOp().equals("Identity")) {
            return false;
        }
        TensorProto tensor = graph.initializers().get(node.input(0));
        return tensor != null
                && !graph.outputs().containsKey(node.outputs().getFirst())
                && tensor.getDimsCount() == 1
                && TensorProtos.element(tensor).isFloat()
                && uniform(tensor);
    }

    /** Whether all elements are equal; false if the bytes are not in the file. */
    private static boolean uniform(TensorProto tensor) {
        if (tensor.getFloatDataCount() > 0) {
            return tensor.getFloatDataList().stream().distinct().count() == 1;
        }
        byte[] raw = tensor.getRawData().toByteArray();
        int width = TensorProtos.element(tensor).bits() / Byte.SIZE;
        for (int i = width; i < raw.length; i++) {
            if (raw[i] != raw[i - width]) {
                return false;
            }
        }
        return raw.length > 0;
    }
}
