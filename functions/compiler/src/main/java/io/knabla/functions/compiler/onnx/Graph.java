package io.knabla.functions.compiler.onnx;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * ONNX graph or subgraph, with nodes in file order, which ONNX requires to be topological.
 *
 * @param inputs as declared, including initializers that are also inputs
 * @param results names of the outputs in order; the same name may be there twice
 * @param values declared types of inner values ({@code value_info})
 */
public record Graph(
        String name,
        List<Node> nodes,
        Map<String, TensorType> inputs,
        Map<String, TensorType> outputs,
        List<String> results,
        Map<String, TensorProto> initializers,
        Map<String, TensorType> values) {

    public static Graph of(GraphProto proto) {
        var nodes = new ArrayList<Node>(proto.getNodeCount());
        for (NodeProto node : proto.getNodeList()) {
            nodes.add(Node.of(node));
        }
        var initializers = new LinkedHashMap<String, TensorProto>();
        for (TensorProto tensor : proto.getInitializerList()) {
            initializers.put(tensor.getName(), tensor);
        }
        return new Graph(
                proto.getName(),
                List.copyOf(nodes),
                types(proto.getInputList()),
                types(proto.getOutputList()),
                proto.getOutputList().stream().map(ValueInfoProto::getName).toList(),
                initializers,
                types(proto.getValueInfoList()));
    }

    private static Map<String, TensorType> types(List<ValueInfoProto> values) {
        var types = new LinkedHashMap<String, TensorType>();
        for (ValueInfoProto value : values) {
            types.put(value.getName(), TensorType.of(value.getType()));
        }
        return types;
    }
}
