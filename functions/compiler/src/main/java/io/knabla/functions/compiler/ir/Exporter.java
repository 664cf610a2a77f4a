package io.knabla.functions.compiler.ir;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Writes a graph as a standard ONNX model. */
public final class Exporter {
    /** Supported by ONNX Runtime 1.29 and the minimum for opset 20. */
    private static final long IR_VERSION = 10;

    private final Dag dag;
    private final Set<Value> used = new HashSet<>();
    private final Map<Scope, ArrayList<Op>> ops = new HashMap<>();
    private final ExportNames names = new ExportNames();

    private Exporter(Dag dag) {
        this.dag = dag;
    }

    /** Writes the operations in id order, after the rewrite by {@link RaceFreeScatter}. */
    public static ModelProto write(Dag dag) {
        Dag safe = RaceFreeScatter.of(dag);
        return write(safe, safe.ops());
    }

    /** @param order all operations that the outputs reach, each after its operands */
    public static ModelProto write(Dag dag, List<Op> order) {
        return new Exporter(dag).model(order);
    }

    private ModelProto model(List<Op> order) {
        survey(order);
        dag.inputs().forEach((name, value) -> names.give(value, name));
        dag.initializers().forEach((name, value) -> names.give(value, name));
        dag.outputs().forEach((name, value) -> names.giveIfNameless(value, name));
        GraphProto.Builder graph = GraphProto.newBuilder().setName("knabla");
        dag.inputs().forEach((name, value) -> graph.addInput(info(name, value.type())));
        nodes(graph, dag.builder().root());
        outputs(graph, dag.outputs());
        constants(graph);
        var model = ModelProto.newBuilder().setIrVersion(IR_VERSION).setProducerName("knabla");
        model.addOpsetImport(opset("", dag.opset()));
        domains(order)
                .forEach(domain ->
                        model.addOpsetImport(opset(domain, dag.domains().getOrDefault(domain, 1L))));
        return model.setGraph(graph).build();
    }

    private static Set<String> domains(Collection<Op> order) {
        var domains = new TreeSet<String>();
        order.forEach(op -> domains.add(op.domain()));
        domains.remove("");
        return domains;
    }

    private void survey(List<Op> order) {
        used.addAll(dag.outputs().values());
        for (Op op : order) {
            ops.computeIfAbsent(op.scope(), _ -> new ArrayList<>()).add(op);
            used.addAll(op.presentInputs());
            op.bodies().values().forEach(body -> used.addAll(body.outputs()));
        }
    }

    private void nodes(GraphProto.Builder graph, Scope scope) {
        for (Op op : ops.getOrDefault(scope, new ArrayList<>())) {
            graph.addNode(node(op));
        }
    }

    private NodeProto node(Op op) {
        NodeProto.Builder node = NodeProto.newBuilder().setOpType(op.type()).setDomain(op.domain());
        node.setName(names.node(op));
        op.inputs().forEach(v -> node.addInput(v == null ? "" : names.of(v)));
        boolean all = OptionalOutputs.required(op);
        int last = all ? op.outputs().size() : 1;
        for (Value output : op.outputs()) {
            last = used.contains(output) ? Math.max(last, output.index() + 1) : last;
        }
        for (Value output : op.outputs().subList(0, last)) {
            boolean named = all || used.contains(output) || output.index() == 0;
            node.addOutput(named ? names.of(output) : "");
        }
        node.addAllAttribute(op.attributes().values().values());
        op.bodies().forEach((name, body) -> node.addAttribute(attribute(name, body)));
        return node.build();
    }

    private AttributeProto attribute(String name, Body body) {
        GraphProto.Builder graph =
                GraphProto.newBuilder().setName("body" + body.scope().id());
        body.parameters().forEach(p -> graph.addInput(info(names.of(p), p.type())));
        nodes(graph, body.scope());
        var outputs = new LinkedHashMap<String, Value>();
        for (int i = 0; i < body.outputs().size(); i++) {
            Value output = body.outputs().get(i);
            boolean own = output.producer().isPresent()
                    && output.scope().equals(body.scope())
                    && !outputs.containsValue(output);
            outputs.put(own ? names.of(output) : "b" + body.scope().id() + "_" + i, output);
        }
        outputs(graph, outputs);
        return AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeProto.AttributeType.GRAPH)
                .setG(graph)
                .build();
    }

    /** Routes a value that already has another name through an Identity. */
    private void outputs(GraphProto.Builder graph, Map<String, Value> outputs) {
        outputs.forEach((name, value) -> {
            if (!names.of(value).equals(name)) {
                graph.addNode(NodeProto.newBuilder()
                        .setOpType("Identity")
                        .setName("as:" + name)
                        .addInput(names.of(value))
                        .addOutput(name));
            }
            graph.addOutput(info(name, value.type()));
        });
    }

    private void constants(GraphProto.Builder graph) {
        used.stream()
                .filter(v -> v.constant().isPresent())
                .sorted(Comparator.comparingInt(Value::id))
                .forEach(v -> graph.addInitializer(
                        v.constant().orElseThrow().toBuilder().setName(names.of(v))));
    }

    private static ValueInfoProto info(String name, TensorType type) {
        TypeProto.Tensor.Builder tensor =
                TypeProto.Tensor.newBuilder().setElemType(type.element().number());
        type.shape().ifPresent(shape -> tensor.setShape(shape(shape)));
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder().setTensorType(tensor))
                .build();
    }

    private static TensorShapeProto shape(Shape shape) {
        TensorShapeProto.Builder dims = TensorShapeProto.newBuilder();
        for (Dim dim : shape.dims()) {
            var one = dims.addDimBuilder();
            if (dim instanceof Dim.Known(var size)) {
                one.setDimValue(size);
            } else if (dim instanceof Dim.Symbol(var symbol)) {
                one.setDimParam(symbol);
            }
        }
        return dims.build();
    }

    private static OperatorSetIdProto opset(String domain, long version) {
        return OperatorSetIdProto.newBuilder()
                .setDomain(domain)
                .setVersion(version)
                .build();
    }
}
