package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.AttributeProto.AttributeType;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Sets the locale of StringNormalizer to {@code C.UTF-8} where it is English or absent. ONNX Runtime then asks the host
 * for {@code en_US.UTF-8}, which minimal images and many laptops lack, whereas glibc brings {@code C.UTF-8}; both map
 * upper and lower case alike.
 */
final class PortableLocale {
    private static final String OPERATOR = "StringNormalizer";
    private static final String ATTRIBUTE = "locale";
    private static final Pattern ENGLISH = Pattern.compile("|en([_-][A-Z]{2})?([.]UTF-?8)?", Pattern.CASE_INSENSITIVE);

    private static final AttributeProto PORTABLE = AttributeProto.newBuilder()
            .setName(ATTRIBUTE)
            .setType(AttributeType.STRING)
            .setS(ByteString.copyFromUtf8("C.UTF-8"))
            .build();

    private PortableLocale() {}

    static ModelProto rewrite(ModelProto model) {
        GraphProto graph = model.getGraph();
        if (graph.getNodeList().stream().noneMatch(PortableLocale::needsEnglish)) {
            return model;
        }
        GraphProto.Builder changed = graph.toBuilder();
        for (int i = 0; i < graph.getNodeCount(); i++) {
            NodeProto node = graph.getNode(i);
            if (needsEnglish(node)) {
                changed.setNode(i, portable(node));
            }
        }
        return model.toBuilder().setGraph(changed).build();
    }

    private static boolean needsEnglish(NodeProto node) {
        return node.getOpType().equals(OPERATOR)
                && node.getAttributeList().stream()
                        .filter(attribute -> attribute.getName().equals(ATTRIBUTE))
                        .allMatch(attribute ->
                                ENGLISH.matcher(attribute.getS().toStringUtf8()).matches());
    }

    private static NodeProto portable(NodeProto node) {
        List<AttributeProto> attributes = new ArrayList<>(node.getAttributeList());
        attributes.removeIf(attribute -> attribute.getName().equals(ATTRIBUTE));
        attributes.add(PORTABLE);
        return node.toBuilder().clearAttribute().addAllAttribute(attributes).build();
    }
}
