package io.knabla.functions.graph.lower;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.graph.Graph;
import io.knabla.functions.graph.Node;
import io.knabla.functions.graph.Tensors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * PyTorch's older exporter keeps one of several equal parameters and makes the others its Identity, under their own
 * names: biases that all begin at zero, norms that begin at one. Here they become tensors of their own again, because
 * their gradients differ. Tied weights, which are made one the same way, are hardly ever equal in all elements and stay
 * tied.
 */
final class Twins {
    private Twins() {}

    static Graph apart(Graph graph) {
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
                graph.name(), List.copyOf(nodes), graph.inputs(), graph.outputs(), initializers, graph.values());
    }

    private static boolean twin(Graph graph, Node node) {
        if (!node.qualifiedOp().equals("Identity")) {
            return false;
        }
        TensorProto tensor = graph.initializers().get(node.input(0));
        return tensor != null
                && !graph.outputs().containsKey(node.outputs().getFirst())
                && tensor.getDimsCount() == 1
                && Tensors.element(tensor).isFloat()
                && uniform(tensor);
    }

    /** Whether all elements are equal, as far as its bytes are in the file. */
    private static boolean uniform(TensorProto tensor) {
        if (tensor.getFloatDataCount() > 0) {
            return tensor.getFloatDataList().stream().distinct().count() == 1;
        }
        byte[] raw = tensor.getRawData().toByteArray();
        int width = Tensors.element(tensor).bits() / Byte.SIZE;
        for (int i = width; i < raw.length; i++) {
            if (raw[i] != raw[i - width]) {
                return false;
            }
        }
        return raw.length > 0;
    }
}
