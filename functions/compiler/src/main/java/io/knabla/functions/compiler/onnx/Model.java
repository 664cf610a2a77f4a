package io.knabla.functions.compiler.onnx;

import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Parsed ONNX model: its graph, operator set versions and local functions.
 *
 * @param proto the whole message, unknown fields included; its tensors may point into the file
 * @param opsets imported version by domain; "" is ONNX's own domain
 * @param functions local functions of the model, by {@code domain:op:overload}
 */
public record Model(ModelProto proto, Map<String, Long> opsets, Graph graph, Map<String, FunctionProto> functions) {

    public static Model of(ModelProto proto) {
        var opsets = new LinkedHashMap<String, Long>();
        for (OperatorSetIdProto opset : proto.getOpsetImportList()) {
            opsets.put(normalDomain(opset.getDomain()), opset.getVersion());
        }
        var functions = new LinkedHashMap<String, FunctionProto>();
        for (FunctionProto function : proto.getFunctionsList()) {
            functions.put(functionKey(function.getDomain(), function.getName(), function.getOverload()), function);
        }
        return new Model(proto, opsets, Graph.of(proto.getGraph()), functions);
    }

    public long irVersion() {
        return proto.getIrVersion();
    }

    /** Version of ONNX's own operators, 0 if the model imports none. */
    public long opset() {
        return opsets.getOrDefault("", 0L);
    }

    public Optional<FunctionProto> function(NodeProto node) {
        return function(node.getDomain(), node.getOpType(), node.getOverload());
    }

    public Optional<FunctionProto> function(String domain, String op, String overload) {
        return Optional.ofNullable(functions.get(functionKey(domain, op, overload)));
    }

    private static String functionKey(String domain, String op, String overload) {
        return normalDomain(domain) + ":" + op + ":" + overload;
    }

    /** Normalizes the two spellings of ONNX's own domain. */
    public static String normalDomain(String domain) {
        return domain.equals("ai.onnx") ? "" : domain;
    }
}
