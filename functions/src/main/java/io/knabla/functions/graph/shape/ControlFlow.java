package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.Graph;
import io.knabla.functions.graph.Node;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.shape.Inference.Body;
import io.knabla.functions.graph.shape.OpContext.Known;
import io.knabla.functions.graph.shape.Trace.Kind;
import io.knabla.functions.graph.shape.Trace.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Operators that run subgraphs. */
record ControlFlow(OpContext op, BiFunction<Graph, List<Known>, Body> run) {
    /** Before it, Scan had a batch axis and other inputs; no exporter writes that any more. */
    private static final int SCAN_WITHOUT_BATCH = 9;

    Step step() {
        return Guarded.get(this::found, unknown());
    }

    private Step found() {
        return switch (op.node().qualifiedOp()) {
            case "If" -> choice();
            case "Loop" -> loop();
            case "Scan" -> scan();
            default -> unknown();
        };
    }

    private Step unknown() {
        return new Step(op, List.of(), Kind.OPERATOR, List.of(), 1, false);
    }

    private Step choice() {
        var traces = new ArrayList<Trace>();
        List<TensorType> outputs = null;
        for (String branch : List.of("then_branch", "else_branch")) {
            Body body = run.apply(op.node().subgraphs().get(branch), List.of());
            traces.add(body.trace());
            outputs = outputs == null ? body.outputs() : agreed(outputs, body.outputs());
        }
        return new Step(op, outputs, Kind.CHOICE, traces, 1, true);
    }

    private static List<TensorType> agreed(List<TensorType> a, List<TensorType> b) {
        var agreed = new ArrayList<TensorType>();
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            // Where the branches differ, the first is as good a guess as any.
            agreed.add(Merge.of(a.get(i), b.get(i)));
        }
        return agreed;
    }

    /** Inputs: trip count, condition, carried values. */
    private Step loop() {
        Optional<List<Dim>> count = op.input(0).integers();
        long trips = count.filter(c -> !c.isEmpty()).map(c -> c.getFirst().or(1)).orElse(1L);
        var arguments = new ArrayList<Known>();
        arguments.add(Known.of(op.input(0).type()));
        arguments.add(Known.of(op.input(1).type()));
        int carried = op.node().inputs().size() - 2;
        for (int i = 0; i < carried; i++) {
            // Contents change from round to round, and so may shapes; the first round is the guess.
            arguments.add(Known.of(op.input(i + 2).type()));
        }
        Body body = run.apply(op.node().subgraphs().get("body"), arguments);
        var outputs = new ArrayList<TensorType>();
        for (int i = 1; i < body.outputs().size(); i++) {
            TensorType type = body.outputs().get(i);
            outputs.add(i <= carried ? type : stacked(type, 0, Dim.of(Math.max(0, trips))));
        }
        return new Step(op, outputs, Kind.LOOP, List.of(body.trace()), Math.max(0, trips), true);
    }

    private Step scan() {
        Node node = op.node();
        if (op.opset() < SCAN_WITHOUT_BATCH) {
            throw ShapeUnknown.INSTANCE;
        }
        int scanned = (int) node.integer("num_scan_inputs", 1);
        int carried = node.inputs().size() - scanned;
        Optional<List<Long>> axes = node.integers("scan_input_axes");
        var arguments = new ArrayList<Known>();
        Dim trips = Dim.UNKNOWN;
        for (int i = 0; i < node.inputs().size(); i++) {
            TensorType type = op.input(i).type();
            if (i >= carried) {
                Shape shape = op.shape(i);
                long stated = axes.isPresent() ? axes.get().get(i - carried) : 0;
                int axis = OpContext.axis(stated, shape.rank());
                trips = trips.known() ? trips : shape.dim(axis);
                type =
                        TensorType.of(
                                type.element(),
                                shape.slice(0, axis).append(shape.slice(axis + 1, shape.rank())));
            }
            arguments.add(Known.of(type));
        }
        Body body = run.apply(node.subgraphs().get("body"), arguments);
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
                shape.slice(0, axis)
                        .append(new Shape(List.of(trips)))
                        .append(shape.slice(axis, shape.rank())));
    }
}
