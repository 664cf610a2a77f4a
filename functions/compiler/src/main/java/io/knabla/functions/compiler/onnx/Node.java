package io.knabla.functions.compiler.onnx;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One node of an ONNX graph.
 *
 * @param domain "" for ONNX's own domain
 * @param inputs value names; "" for an omitted optional input
 */
public record Node(
        String name,
        String domain,
        String op,
        String overload,
        List<String> inputs,
        List<String> outputs,
        Map<String, AttributeProto> attributes,
        Map<String, Graph> subgraphs) {

    public static Node of(NodeProto proto) {
        var attributes = new HashMap<String, AttributeProto>();
        var subgraphs = new HashMap<String, Graph>();
        for (AttributeProto attribute : proto.getAttributeList()) {
            attributes.put(attribute.getName(), attribute);
            if (attribute.hasG()) {
                subgraphs.put(attribute.getName(), Graph.of(attribute.getG()));
            }
        }
        return new Node(
                proto.getName(),
                Model.normalDomain(proto.getDomain()),
                proto.getOpType(),
                proto.getOverload(),
                List.copyOf(proto.getInputList()),
                List.copyOf(proto.getOutputList()),
                Map.copyOf(attributes),
                Map.copyOf(subgraphs));
    }

    /** Operator name, prefixed by its domain unless that is ONNX's own: {@code com.microsoft.Attention}. */
    public String qualifiedOp() {
        return domain.isEmpty() ? op : domain + "." + op;
    }

    /** Name of the input, "" if it is omitted. */
    public String input(int index) {
        return index < inputs.size() ? inputs.get(index) : "";
    }

    public boolean has(String attribute) {
        return attributes.containsKey(attribute);
    }

    public long integer(String attribute, long otherwise) {
        AttributeProto found = attributes.get(attribute);
        return found == null || !found.hasI() ? otherwise : found.getI();
    }

    public double real(String attribute, double otherwise) {
        AttributeProto found = attributes.get(attribute);
        return found == null || !found.hasF() ? otherwise : found.getF();
    }

    public String text(String attribute, String otherwise) {
        AttributeProto found = attributes.get(attribute);
        return found == null || !found.hasS() ? otherwise : found.getS().toStringUtf8();
    }

    public Optional<List<Long>> integers(String attribute) {
        AttributeProto found = attributes.get(attribute);
        return found == null || found.getIntsCount() == 0
                ? Optional.empty()
                : Optional.of(new ArrayList<>(found.getIntsList()));
    }

    public Optional<TensorProto> tensor(String attribute) {
        AttributeProto found = attributes.get(attribute);
        return found == null || !found.hasT() ? Optional.empty() : Optional.of(found.getT());
    }
}
