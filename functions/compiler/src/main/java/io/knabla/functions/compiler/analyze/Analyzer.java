package io.knabla.functions.compiler.analyze;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Graph;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.pool.PoolRule;
import io.knabla.functions.compiler.shape.InferenceTrace;
import io.knabla.functions.compiler.shape.ShapeInference;
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
        InferenceTrace trace = ShapeInference.trace(model, assumed);
        var tally = new CostTotals();
        tally.add(trace, 1, "");
        long peak = SaturatingMath.plus(
                inputBytes(model.graph(), assumed),
                PeakMemory.of(trace, model.graph().outputs().keySet()));
        long[] weights = weights(model.graph());
        long io = SaturatingMath.plus(inputBytes(model.graph(), assumed), outputBytes(model.graph(), trace));
        double intensity = CostTotals.intensity(tally.flops, SaturatingMath.plus(tally.bytesRead, tally.bytesWritten));
        return new Analysis(
                weights[0],
                weights[1],
                tally.flops,
                tally.bytesRead,
                tally.bytesWritten,
                peak,
                intensity,
                ReplicaSizing.suggest(
                        Machine.ASSUMED, tally.seconds, tally.work(weights[1], io), peak, PoolRule.UNKNOWN_RATE),
                new Analysis.Prediction(Machine.ASSUMED.text(), tally.seconds),
                tally.byOp(),
                List.copyOf(tally.rows),
                tally.unknownOps,
                notes(assumed, tally),
                1000 * tally.seconds,
                Machine.ASSUMED,
                tally.work.parts(),
                io);
    }

    private static List<String> notes(AssumedSizes assumed, CostTotals tally) {
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
                sum = SaturatingMath.plus(sum, SaturatingMath.bytes(sizes.bind(input.getValue(), input.getKey())));
            }
        }
        return sum;
    }

    private static long outputBytes(Graph graph, InferenceTrace trace) {
        long sum = 0;
        for (InferenceTrace.Step step : trace.steps()) {
            for (int i = 0; i < step.outputs().size(); i++) {
                if (graph.outputs().containsKey(step.op().node().outputs().get(i))) {
                    sum = SaturatingMath.plus(
                            sum, SaturatingMath.bytes(step.outputs().get(i)));
                }
            }
        }
        return sum;
    }

    /** Number of parameters and of bytes, including subgraphs. */
    private static long[] weights(Graph graph) {
        long parameters = 0;
        long bytes = 0;
        for (TensorProto tensor : graph.initializers().values()) {
            long elements = TensorProtos.elements(tensor).orElse(0L);
            ElementType type = TensorProtos.element(tensor);
            parameters = SaturatingMath.plus(parameters, isParameter(type) ? elements : 0);
            bytes = SaturatingMath.plus(bytes, SaturatingMath.bytes(TensorProtos.type(tensor)));
        }
        for (Node node : graph.nodes()) {
            for (Graph inner : node.subgraphs().values()) {
                long[] more = weights(inner);
                parameters = SaturatingMath.plus(parameters, more[0]);
                bytes = SaturatingMath.plus(bytes, more[1]);
            }
        }
        return new long[] {parameters, bytes};
    }

    /** Wide integers are shapes and indices; narrow ones are quantised weights. */
    private static boolean isParameter(ElementType type) {
        return type.isFloat() || type.bits() > 0 && type.bits() <= 8 && type != ElementType.BOOL;
    }
}
