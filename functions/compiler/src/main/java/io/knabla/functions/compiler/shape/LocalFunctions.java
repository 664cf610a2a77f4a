package io.knabla.functions.compiler.shape;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Expands a model-local function at a call. */
public final class LocalFunctions {
    private LocalFunctions() {}

    /** Operator set versions of the function's own nodes. */
    public static Map<String, Long> opsets(FunctionProto function) {
        var opsets = new HashMap<String, Long>();
        for (OperatorSetIdProto opset : function.getOpsetImportList()) {
            opsets.put(Model.normalDomain(opset.getDomain()), opset.getVersion());
        }
        return opsets;
    }

    /** The function's nodes, with the attributes of the call substituted for references. */
    public static List<Node> nodes(FunctionProto function, Node call) {
        var given = new HashMap<String, AttributeProto>();
        function.getAttributeProtoList().forEach(a -> given.put(a.getName(), a));
        given.putAll(call.attributes());
        var nodes = new ArrayList<Node>(function.getNodeCount());
        for (NodeProto node : function.getNodeList()) {
            nodes.add(Node.of(filled(node, given)));
        }
        return nodes;
    }

    private static NodeProto filled(NodeProto node, Map<String, AttributeProto> given) {
        NodeProto.Builder filled = node.toBuilder().clearAttribute();
        for (AttributeProto attribute : node.getAttributeList()) {
            if (!attribute.getRefAttrName().isEmpty()) {
                AttributeProto value = given.get(attribute.getRefAttrName());
                if (value != null) {
                    filled.addAttribute(value.toBuilder().setName(attribute.getName()));
                }
            } else if (attribute.hasG()) {
                filled.addAttribute(attribute.toBuilder().setG(filled(attribute.getG(), given)));
            } else {
                filled.addAttribute(attribute);
            }
        }
        return filled.build();
    }

    private static GraphProto filled(GraphProto graph, Map<String, AttributeProto> given) {
        GraphProto.Builder filled = graph.toBuilder().clearNode();
        graph.getNodeList().forEach(node -> filled.addNode(filled(node, given)));
        return filled.build();
    }
}
