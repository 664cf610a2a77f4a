package io.knabla.functions.analyze;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.Graph;
import io.knabla.functions.graph.Model;
import io.knabla.functions.graph.Node;
import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.Tensors;
import io.knabla.functions.graph.shape.Inference;
import io.knabla.functions.graph.shape.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Computes the static cost of a model: infers shapes, applies a cost rule per operator, then liveness. Runs nothing and
 * never fails: an operator without a rule is listed as unknown.
 */
public final class Analyzer {
    private Analyzer() {}

    /** Analyses with every variable size taken as 1. */
    public static Analysis analyze(Model model) {
        return analyze(model, Map.of());
    }

    /** @param sizes sizes by symbol, such as {@code batch} */
    public static Analysis analyze(Model model, Map<String, Long> sizes) {
        var assumed = new AssumedSizes(sizes);
        Trace trace = Inference.trace(model, assumed);
        var tally = new Tally();
        tally.add(trace, 1, "");
        long peak = Amounts.plus(
                inputBytes(model.graph(), assumed),
                Peak.of(trace, model.graph().outputs().keySet()));
        long[] weights = weights(model.graph());
        double intensity = Tally.intensity(tally.flops, Amounts.plus(tally.bytesRead, tally.bytesWritten));
        return new Analysis(
                weights[0],
                weights[1],
                tally.flops,
                tally.bytesRead,
                tally.bytesWritten,
                peak,
                intensity,
                Sizing.suggest(Machine.ASSUMED, tally.seconds, intensity, weights[1], peak),
                new Analysis.Prediction(Machine.ASSUMED.text(), tally.seconds),
                tally.byOp(),
                List.copyOf(tally.rows),
                tally.unknownOps,
                notes(assumed, tally),
                1000 * tally.seconds,
                Machine.ASSUMED,
                tally.work.parts());
    }

    private static List<String> notes(AssumedSizes assumed, Tally tally) {
        var notes = new ArrayList<>(assumed.notes());
        if (!tally.unknownOps.isEmpty()) {
            notes.add("operators without a rule count no FLOPs: " + tally.unknownOps.keySet());
        }
        if (tally.unknownShapes > 0) {
            notes.add(tally.unknownShapes + " operators have outputs of unknown shape, which count as nothing");
        }
        if (tally.rowsCut) {
            notes.add("only the first " + tally.rows.size() + " operators are listed");
        }
        return List.copyOf(notes);
    }

    private static long inputBytes(Graph graph, AssumedSizes sizes) {
        long sum = 0;
        for (Map.Entry<String, TensorType> input : graph.inputs().entrySet()) {
            if (!graph.initializers().containsKey(input.getKey())) {
                sum = Amounts.plus(sum, Amounts.bytes(sizes.bind(input.getValue(), input.getKey())));
            }
        }
        return sum;
    }

    /** Number of parameters and of bytes, including subgraphs. */
    private static long[] weights(Graph graph) {
        long parameters = 0;
        long bytes = 0;
        for (TensorProto tensor : graph.initializers().values()) {
            long elements = Tensors.elements(tensor).orElse(0L);
            ElementType type = Tensors.element(tensor);
            parameters = Amounts.plus(parameters, isParameter(type) ? elements : 0);
            bytes = Amounts.plus(bytes, Amounts.bytes(Tensors.type(tensor)));
        }
        for (Node node : graph.nodes()) {
            for (Graph inner : node.subgraphs().values()) {
                long[] more = weights(inner);
                parameters = Amounts.plus(parameters, more[0]);
                bytes = Amounts.plus(bytes, more[1]);
            }
        }
        return new long[] {parameters, bytes};
    }

    /** Wide integers are shapes and indices; narrow ones are quantised weights. */
    private static boolean isParameter(ElementType type) {
        return type.isFloat() || type.bits() > 0 && type.bits() <= 8 && type != ElementType.BOOL;
    }
}
