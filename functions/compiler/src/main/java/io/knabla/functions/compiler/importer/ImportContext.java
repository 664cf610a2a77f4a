package io.knabla.functions.compiler.importer;

import io.knabla.functions.compiler.onnx.Graph;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Context of the import at one place in a file: graph, visible names, opsets and path.
 *
 * @param graph source of the declared types, null in a function
 * @param opsets by domain
 * @param path for messages
 * @param depth number of enclosing functions and subgraphs
 */
record ImportContext(Graph graph, SymbolTable names, Map<String, Long> opsets, String path, int depth) {

    static ImportContext main(Graph graph, SymbolTable names, Map<String, Long> opsets) {
        return new ImportContext(graph, names, opsets, "graph", 0);
    }

    ImportContext inner(Graph inner, SymbolTable fresh, Node node, String attribute) {
        return new ImportContext(inner, fresh, opsets, pathOf(node) + "." + attribute, depth + 1);
    }

    ImportContext function(Node call, SymbolTable fresh, Map<String, Long> versions) {
        return new ImportContext(null, fresh, versions, pathOf(call), depth + 1);
    }

    String pathOf(Node node) {
        return "%s.node['%s' %s]".formatted(path, shown(node.name()), shown(node.qualifiedOp()));
    }

    /** Names are untrusted: makes them short and printable for messages. */
    private static String shown(String name) {
        String clean = name.replaceAll("\\p{Cntrl}", "?");
        return clean.length() <= 80 ? clean : clean.substring(0, 77) + "...";
    }

    /** Types that the file declares for the node's outputs. */
    List<TensorType> stated(Node node) {
        var stated = new ArrayList<TensorType>();
        for (String output : node.outputs()) {
            TensorType inner = graph == null ? null : graph.values().get(output);
            TensorType outer =
                    graph == null ? TensorType.UNKNOWN : graph.outputs().getOrDefault(output, TensorType.UNKNOWN);
            stated.add(inner != null ? inner : outer);
        }
        return stated;
    }

    long opset(String domain) {
        return opsets.getOrDefault(domain, 0L);
    }
}
