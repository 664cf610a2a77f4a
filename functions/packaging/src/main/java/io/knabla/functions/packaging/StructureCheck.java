package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import io.knabla.functions.compiler.onnx.Model;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks the structure of a graph: each name is defined once and before its use, and each operator is known. So the
 * engine's parser never sees a cycle or an undefined name.
 */
final class StructureCheck {
    /**
     * Names visible in a graph: those of the graph and of the enclosing graphs, chained because copies would take
     * quadratic time.
     */
    private record Names(Set<String> here, Names outer) {
        static final Names NONE = new Names(Set.of(), null);

        boolean contains(String name) {
            for (Names names = this; names != null; names = names.outer) {
                if (names.here.contains(name)) {
                    return true;
                }
            }
            return false;
        }
    }

    private final Model model;
    private final FaultCollector faults;

    private StructureCheck(Model model, FaultCollector faults) {
        this.model = model;
        this.faults = faults;
    }

    static void check(Model model, FaultCollector faults) {
        var check = new StructureCheck(model, faults);
        check.graph("graph", model.proto().getGraph(), Names.NONE);
        for (FunctionProto function : model.proto().getFunctionsList()) {
            check.function(function);
        }
        FunctionInliningCheck.check(model, faults);
    }

    /** @param outer names of the enclosing graphs */
    private void graph(String path, GraphProto graph, Names outer) {
        var defined = new HashSet<String>();
        for (ValueInfoProto input : graph.getInputList()) {
            define(path + ".input", input.getName(), defined);
        }
        var initializers = new HashSet<String>();
        for (TensorProto tensor : graph.getInitializerList()) {
            if (!initializers.add(tensor.getName())) {
                faults.add(path + ".initializer", "'%s' is there twice", shown(tensor.getName()));
            } else if (tensor.getName().isEmpty()) {
                faults.add(path + ".initializer", "one has no name");
            }
        }
        defined.addAll(initializers);
        graph.getSparseInitializerList().forEach(s -> defined.add(s.getValues().getName()));
        nodes(path, graph.getNodeList(), defined, outer);
        for (ValueInfoProto output : graph.getOutputList()) {
            if (!defined.contains(output.getName()) && !outer.contains(output.getName())) {
                faults.add(path + ".output", "'%s' is made by no node", shown(output.getName()));
            }
        }
    }

    private void function(FunctionProto function) {
        String path = "functions['" + shown(function.getName()) + "']";
        var defined = new HashSet<String>(function.getInputList());
        nodes(path, function.getNodeList(), defined, Names.NONE);
        for (String output : function.getOutputList()) {
            if (!defined.contains(output)) {
                faults.add(path + ".output", "'%s' is made by no node", shown(output));
            }
        }
    }

    private void nodes(String path, List<NodeProto> nodes, Set<String> defined, Names outer) {
        Map<String, Integer> madeBy = makers(nodes);
        for (int i = 0; i < nodes.size(); i++) {
            NodeProto node = nodes.get(i);
            String at = "%s.node[%d]".formatted(path, i);
            operator(at, node);
            for (String input : node.getInputList()) {
                if (!input.isEmpty() && !defined.contains(input) && !outer.contains(input)) {
                    undefined(at, node, input, madeBy.get(input), i);
                }
            }
            subgraphs(at, node, new Names(defined, outer));
            for (String output : node.getOutputList()) {
                if (node.getOpType().equals("Identity") && node.getInputList().contains(output)) {
                    // PyTorch's exporter writes this if an input is handed on and both were given the same name.
                    faults.add(
                            at,
                            "'%s' names an input and an output of one Identity; a name stands for one value in ONNX, so give the output another one, such as with output_names of torch.onnx.export",
                            shown(output));
                } else if (!output.isEmpty()) {
                    define(at, output, defined);
                }
            }
        }
    }

    private static Map<String, Integer> makers(List<NodeProto> nodes) {
        var madeBy = new HashMap<String, Integer>();
        for (int i = 0; i < nodes.size(); i++) {
            for (String output : nodes.get(i).getOutputList()) {
                madeBy.put(output, i);
            }
        }
        return madeBy;
    }

    private void undefined(String at, NodeProto node, String input, Integer maker, int index) {
        if (maker == null) {
            faults.add(
                    at,
                    "%s reads '%s', which is no input, no initializer and no node's output",
                    called(node),
                    shown(input));
        } else {
            faults.add(
                    at,
                    "%s reads '%s', which only node[%d] %s; nodes must be in an order without cycles",
                    called(node),
                    shown(input),
                    maker,
                    maker == index ? "itself makes" : "after it makes");
        }
    }

    private void subgraphs(String at, NodeProto node, Names visible) {
        for (AttributeProto attribute : node.getAttributeList()) {
            for (GraphProto graph : attribute.getGraphsList()) {
                subgraph(at, attribute, graph, visible);
            }
            if (attribute.hasG()) {
                subgraph(at, attribute, attribute.getG(), visible);
            }
        }
    }

    private void subgraph(String at, AttributeProto attribute, GraphProto graph, Names visible) {
        graph(at + "." + shown(attribute.getName()), graph, visible);
    }

    private void operator(String at, NodeProto node) {
        if (node.getOpType().isEmpty()) {
            faults.add(at, "has no op_type");
            return;
        }
        if (model.function(node).isPresent()) {
            return;
        }
        String domain = Model.normalDomain(node.getDomain());
        if (domain.equals(EngineSupport.EXTENSIONS)) {
            faults.add(
                    at,
                    "%s is a pre-processing operator of onnxruntime-extensions, which has no library for Java; export the model without it and prepare its inputs in the client, for texts with the model's own tokenizer",
                    called(node));
        } else if (EngineSupport.LAYOUTS.contains(domain)) {
            faults.add(
                    at,
                    "%s is of the domain '%s', whose operators ONNX Runtime writes for one kind of processor when it saves an optimised model; deploy the file that was optimised, which is optimised again where it runs, or save it with ORT_ENABLE_EXTENDED",
                    called(node),
                    domain);
        } else if (!EngineSupport.OPSETS.containsKey(domain)) {
            faults.add(
                    at,
                    "%s is of the custom domain '%s', which %s does not have; allowed are ai.onnx, ai.onnx.ml, com.microsoft and functions inside the model. Export without custom operators",
                    called(node),
                    shown(node.getDomain()),
                    EngineSupport.NAME);
        } else if (!model.opsets().containsKey(domain)) {
            faults.add(
                    at,
                    "%s is of the domain '%s', which opset_import does not name",
                    called(node),
                    domain.isEmpty() ? "ai.onnx" : domain);
        }
    }

    private void define(String at, String name, Set<String> defined) {
        if (name.isEmpty()) {
            faults.add(at, "a value has no name");
        } else if (!defined.add(name)) {
            faults.add(at, "'%s' is defined a second time", shown(name));
        }
    }

    private static String called(NodeProto node) {
        return node.getName().isEmpty()
                ? shown(node.getOpType())
                : "%s '%s'".formatted(shown(node.getOpType()), shown(node.getName()));
    }

    /** Shortens an untrusted name and replaces control characters. */
    static String shown(String name) {
        String clean = name.replaceAll("\\p{Cntrl}", "?");
        return clean.length() <= 80 ? clean : clean.substring(0, 77) + "...";
    }
}
