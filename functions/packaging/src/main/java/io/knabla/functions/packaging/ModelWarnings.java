package io.knabla.functions.packaging;

import io.knabla.functions.compiler.onnx.Graph;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds harmless but notable content in a model: unused initializers and training information. */
final class ModelWarnings {
    private ModelWarnings() {}

    static List<String> of(Model model) {
        var warnings = new ArrayList<String>();
        List<String> unused = unusedInitializers(model.graph());
        if (!unused.isEmpty()) {
            warnings.add("%d initializers are used by no node, such as '%s'; they cost memory only"
                    .formatted(unused.size(), StructureCheck.shown(unused.getFirst())));
        }
        if (model.proto().getTrainingInfoCount() > 0) {
            warnings.add("the model's training_info is kept but not used");
        }
        return warnings;
    }

    private static List<String> unusedInitializers(Graph graph) {
        var used = new HashSet<>(graph.outputs().keySet());
        collect(graph, used);
        return graph.initializers().keySet().stream()
                .filter(name -> !used.contains(name))
                .toList();
    }

    private static void collect(Graph graph, Set<String> used) {
        for (Node node : graph.nodes()) {
            used.addAll(node.inputs());
            for (Graph inner : node.subgraphs().values()) {
                used.addAll(inner.outputs().keySet());
                collect(inner, used);
            }
        }
    }
}
