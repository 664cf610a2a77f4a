package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Graph;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.InferenceTrace.Kind;
import io.knabla.functions.compiler.shape.InferenceTrace.Step;
import io.knabla.functions.compiler.shape.OpContext.ValueInfo;
import io.knabla.functions.compiler.shape.ShapeInference.SubgraphResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Shape rules of operators that run subgraphs: If, Loop, Scan and SequenceMap.
 *
 * @param depth number of graphs that enclose the operator's graph
 */
record ControlFlow(OpContext op, int depth, BiFunction<Graph, List<ValueInfo>, SubgraphResult> run) {
    /** In earlier opsets Scan had a batch axis and other inputs; no exporter writes that any more. */
    private static final int SCAN_WITHOUT_BATCH = 9;

    /** Carried types first lose a dimension's size, then their rank; more iterations change nothing. */
    private static final int ROUNDS = 3;

    private static final int DEEP = 3;

    Step step() {
        return RuleGuard.getOrElse(this::found, unknown());
    }

    private Step found() {
        return switch (op.node().qualifiedOp()) {
            case "If" -> choice();
            case "Loop" -> loop();
            case "Scan" -> scan();
            case "SequenceMap" -> map();
            default -> unknown();
        };
    }

    private Step unknown() {
        return new Step(op, List.of(), Kind.OPERATOR, List.of(), 1, false);
    }

    /** If the condition is known, the other branch never runs. */
    private Step choice() {
        Dim condition = op.scalar(0);
        var branches = new ArrayList<String>();
        if (!condition.is(0)) {
            branches.add("then_branch");
        }
        if (condition.is(0) || !condition.known()) {
            branches.add("else_branch");
        }
        var traces = new ArrayList<InferenceTrace>();
        List<TensorType> outputs = null;
        for (String branch : branches) {
            SubgraphResult body = run.apply(op.node().subgraphs().get(branch), List.of());
            traces.add(body.trace());
            outputs = outputs == null ? body.outputs() : common(outputs, body.outputs());
        }
        return new Step(op, outputs, Kind.CHOICE, traces, 1, true);
    }

    private static List<TensorType> common(List<TensorType> a, List<TensorType> b) {
        var common = new ArrayList<TensorType>();
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            common.add(Merge.common(a.get(i), b.get(i)));
        }
        return common;
    }

    /** Inputs: trip count, condition, carried values. */
    private Step loop() {
        Dim count = op.has(0) ? op.scalar(0) : Dim.UNKNOWN;
        List<TensorType> carried = new ArrayList<>();
        for (int i = 2; i < op.node().inputs().size(); i++) {
            carried.add(op.input(i).type());
        }
        SubgraphResult body = round(carried);
        // Shapes may change between iterations; a fixed point that holds for all of them is soon found.
        for (int i = 0; i < ROUNDS; i++) {
            List<TensorType> after = common(carried, body.outputs().subList(1, carried.size() + 1));
            if (after.equals(carried)) {
                break;
            }
            // The number of walks would grow exponentially with the nesting depth of loops.
            carried = depth < DEEP
                    ? after
                    : after.stream().map(ControlFlow::anyShape).toList();
            body = round(carried);
        }
        // A body that ends by its own condition may run fewer iterations than the trip count.
        boolean counted = !op.has(1) || op.scalar(1).is(1);
        Dim rounds = counted && body.condition().is(1) ? count : Dim.UNKNOWN;
        var outputs = new ArrayList<TensorType>();
        for (int i = 1; i < body.outputs().size(); i++) {
            boolean state = i <= carried.size();
            outputs.add(state ? carried.get(i - 1) : stacked(body.outputs().get(i), 0, rounds));
        }
        long trips = Math.max(0, count.or(1));
        return new Step(op, outputs, Kind.LOOP, List.of(body.trace()), trips, true);
    }

    private static TensorType anyShape(TensorType type) {
        return TensorType.of(type.element());
    }

    /** The type of a sequence holds for each of its elements. */
    private Step map() {
        var arguments = new ArrayList<ValueInfo>();
        for (int i = 0; i < op.node().inputs().size(); i++) {
            arguments.add(ValueInfo.of(op.input(i).type()));
        }
        SubgraphResult body = run.apply(op.node().subgraphs().get("body"), arguments);
        return new Step(op, body.outputs(), Kind.LOOP, List.of(body.trace()), 1, true);
    }

    private SubgraphResult round(List<TensorType> carried) {
        var arguments = new ArrayList<ValueInfo>();
        arguments.add(ValueInfo.of(TensorType.of(ElementType.INT64, Shape.SCALAR)));
        TensorType condition = TensorType.of(ElementType.BOOL, Shape.SCALAR);
        arguments.add(new ValueInfo(
                condition, op.has(1) ? op.input(1).integers() : Optional.of(List.of(Dim.ONE)), Optional.empty()));
        carried.forEach(type -> arguments.add(ValueInfo.of(type)));
        return run.apply(op.node().subgraphs().get("body"), arguments);
    }

    private Step scan() {
        Node node = op.node();
        if (op.opset() < SCAN_WITHOUT_BATCH) {
            throw ShapeUnknownException.INSTANCE;
        }
        int scanned = (int) node.integer("num_scan_inputs", 1);
        int carried = node.inputs().size() - scanned;
        Optional<List<Long>> axes = node.integers("scan_input_axes");
        var arguments = new ArrayList<ValueInfo>();
        Dim trips = Dim.UNKNOWN;
        for (int i = 0; i < node.inputs().size(); i++) {
            TensorType type = op.input(i).type();
            if (i >= carried) {
                Shape shape = op.shape(i);
                long stated = axes.isPresent() ? axes.get().get(i - carried) : 0;
                int axis = OpContext.axis(stated, shape.rank());
                trips = trips.known() ? trips : shape.dim(axis);
                type = TensorType.of(type.element(), shape.slice(0, axis).append(shape.slice(axis + 1, shape.rank())));
            }
            arguments.add(ValueInfo.of(type));
        }
        SubgraphResult body = run.apply(node.subgraphs().get("body"), arguments);
        Optional<List<Long>> outAxes = node.integers("scan_output_axes");
        var outputs = new ArrayList<TensorType>();
        for (int i = 0; i < body.outputs().size(); i++) {
            TensorType type = body.outputs().get(i);
            long axis = outAxes.isPresent() && i >= carried ? outAxes.get().get(i - carried) : 0;
            outputs.add(i < carried ? type : stacked(type, axis, trips));
        }
        return new Step(op, outputs, Kind.LOOP, List.of(body.trace()), trips.or(1), true);
    }

    private static TensorType stacked(TensorType type, long at, Dim trips) {
        if (type.shape().isEmpty()) {
            return type;
        }
        Shape shape = type.shape().get();
        int axis = OpContext.axis(at, shape.rank() + 1);
        return TensorType.of(
                type.element(),
                shape.slice(0, axis).append(new Shape(List.of(trips))).append(shape.slice(axis, shape.rank())));
    }
}
