package io.knabla.functions.compiler.onnx;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import java.util.Set;
import java.util.TreeSet;

/** Finds and checks references to weights stored outside the model file. */
public final class ExternalData {
    private static final int MAX_LOCATION = 1024;

    private ExternalData() {}

    /** Whether a location is a relative path that stays inside the model's folder. */
    public static boolean isConfined(String location) {
        if (location.isEmpty()
                || location.length() > MAX_LOCATION
                || location.startsWith("/")
                || location.indexOf('\\') >= 0
                || location.indexOf('\0') >= 0
                || location.indexOf(':') >= 0) {
            return false;
        }
        for (String part : location.split("/", -1)) {
            if (part.isEmpty() || part.equals("..")) {
                return false;
            }
        }
        return true;
    }

    /** Returns every location that the model names, sorted and unchecked. */
    public static Set<String> locations(ModelProto model) {
        var found = new TreeSet<String>();
        collect(model.getGraph(), found);
        return found;
    }

    private static void collect(GraphProto graph, Set<String> found) {
        for (TensorProto tensor : graph.getInitializerList()) {
            collect(tensor, found);
        }
        for (NodeProto node : graph.getNodeList()) {
            for (AttributeProto attribute : node.getAttributeList()) {
                if (attribute.hasT()) {
                    collect(attribute.getT(), found);
                }
                if (attribute.hasG()) {
                    collect(attribute.getG(), found);
                }
            }
        }
    }

    private static void collect(TensorProto tensor, Set<String> found) {
        if (TensorProtos.isExternal(tensor)) {
            found.add(TensorProtos.external(tensor, "location").orElse(""));
        }
    }
}
