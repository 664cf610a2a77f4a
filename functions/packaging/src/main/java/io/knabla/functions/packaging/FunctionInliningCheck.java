package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import io.knabla.functions.compiler.onnx.Model;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Refuses models whose local functions are recursive, nest too deep or inline to too many nodes. Otherwise a small file
 * could become a huge graph: ten calls of ten calls of ten calls.
 */
final class FunctionInliningCheck {
    private static final long MAX_INLINED = 200_000;
    private static final long CYCLIC = -1;
    private static final int MAX_DEPTH = 200;

    private final Model model;

    /** Number of nodes after inlining; {@link #CYCLIC} while a function is being counted. */
    private final Map<FunctionProto, Long> sizes = new IdentityHashMap<>();

    private FunctionInliningCheck(Model model) {
        this.model = model;
    }

    static void check(Model model, FaultCollector faults) {
        if (model.functions().isEmpty()) {
            return;
        }
        var cycles = new FunctionInliningCheck(model);
        long total = cycles.size(model.proto().getGraph().getNodeList(), 0);
        if (total == CYCLIC) {
            faults.add("functions", "a function of the model calls itself, or calls nest too deep");
        } else if (total > MAX_INLINED) {
            faults.add("functions", "inlined, the model's functions make more than %d nodes", MAX_INLINED);
        }
    }

    private long size(List<NodeProto> nodes, int depth) {
        long total = 0;
        for (NodeProto node : nodes) {
            long size = size(node, depth);
            if (size == CYCLIC) {
                return CYCLIC;
            }
            total = Math.min(total + size, MAX_INLINED + 1);
        }
        return total;
    }

    private long size(NodeProto node, int depth) {
        long total = 1;
        for (AttributeProto attribute : node.getAttributeList()) {
            if (attribute.hasG()) {
                long inner = size(attribute.getG().getNodeList(), depth);
                if (inner == CYCLIC) {
                    return CYCLIC;
                }
                total += inner;
            }
        }
        Optional<FunctionProto> function = model.function(node);
        if (function.isEmpty()) {
            return total;
        }
        Long known = sizes.get(function.get());
        if (known == null) {
            if (depth > MAX_DEPTH) {
                return CYCLIC;
            }
            sizes.put(function.get(), CYCLIC);
            known = size(function.get().getNodeList(), depth + 1);
            sizes.put(function.get(), known);
        }
        return known == CYCLIC ? CYCLIC : total + known;
    }
}
