package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.analyze.Analysis.OpSummary;
import io.knabla.functions.compiler.analyze.Analysis.OperatorCost;
import io.knabla.functions.compiler.analyze.CostRule.Traffic;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.pool.CallWork;
import io.knabla.functions.compiler.shape.InferenceTrace;
import io.knabla.functions.compiler.shape.InferenceTrace.Step;
import io.knabla.functions.compiler.shape.OpContext;
import io.knabla.functions.compiler.shape.RuleGuard;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Accumulates the costs of all operators of a trace. */
final class CostTotals {
    private static final int MAX_ROWS = 20_000;

    final List<OperatorCost> rows = new ArrayList<>();
    final Map<String, Integer> unknownOps = new TreeMap<>();
    private final Map<String, OpSummary> byOp = new HashMap<>();
    long flops;
    long bytesRead;
    long bytesWritten;
    double seconds;
    final WorkHistogram work = new WorkHistogram();
    int unknownShapes;
    boolean rowsCut;

    void add(InferenceTrace trace, long repeat, String path) {
        for (Step step : trace.steps()) {
            String name = path + label(step.op().node());
            switch (step.kind()) {
                case OPERATOR -> operator(step, repeat, name);
                case LOOP, CALL ->
                    add(step.bodies().getFirst(), SaturatingMath.times(repeat, step.repeat()), name + "/");
                case CHOICE -> costlier(step, repeat, name);
            }
        }
    }

    /** Only one branch runs; counts the more expensive one. */
    private void costlier(Step step, long repeat, String name) {
        CostTotals dearest = null;
        for (InferenceTrace body : step.bodies()) {
            var branch = new CostTotals();
            branch.add(body, repeat, name + "/");
            if (dearest == null || branch.seconds > dearest.seconds) {
                dearest = branch;
            }
        }
        if (dearest != null) {
            add(dearest);
        }
    }

    private void add(CostTotals other) {
        flops = SaturatingMath.plus(flops, other.flops);
        bytesRead = SaturatingMath.plus(bytesRead, other.bytesRead);
        bytesWritten = SaturatingMath.plus(bytesWritten, other.bytesWritten);
        seconds += other.seconds;
        work.add(other.work);
        unknownShapes += other.unknownShapes;
        other.unknownOps.forEach((op, count) -> unknownOps.merge(op, count, Integer::sum));
        other.byOp.forEach((op, sum) -> byOp.merge(op, sum, CostTotals::sum));
        int room = Math.min(MAX_ROWS - rows.size(), other.rows.size());
        rows.addAll(other.rows.subList(0, room));
        rowsCut |= other.rowsCut || room < other.rows.size();
    }

    private void operator(Step step, long repeat, String name) {
        String op = step.op().node().qualifiedOp();
        Optional<CostRule> rule = CostRules.of(op);
        if (rule.isEmpty()) {
            unknownOps.merge(op, 1, Integer::sum);
        }
        if (step.outputs().stream().anyMatch(type -> type.shape().isEmpty())) {
            unknownShapes++;
        }
        long done = rule.map(r -> flops(r, step)).orElse(0L);
        Traffic traffic = rule.map(CostRule::traffic).orElse(Traffic.ALL);
        long written = traffic == Traffic.VIEW ? 0 : written(step);
        long read = read(step.op(), traffic, written);
        count(name, op, step, times(done, repeat), times(read, repeat), times(written, repeat));
    }

    private static long times(long amount, long repeat) {
        return SaturatingMath.times(amount, repeat);
    }

    private static long flops(CostRule rule, Step step) {
        return RuleGuard.getOrElse(
                () -> step.outputs().isEmpty() ? 0 : rule.flops().of(step.op(), step.outputs()), 0L);
    }

    private static long written(Step step) {
        long sum = 0;
        for (TensorType output : step.outputs()) {
            sum = SaturatingMath.plus(sum, SaturatingMath.bytes(output));
        }
        return sum;
    }

    private static long read(OpContext op, Traffic traffic, long written) {
        long sum = traffic == Traffic.PICKED ? written : 0;
        int from = traffic == Traffic.PICKED ? 1 : 0;
        for (int i = from; i < op.node().inputs().size() && touches(traffic); i++) {
            sum = SaturatingMath.plus(sum, SaturatingMath.bytes(op.input(i).type()));
        }
        return sum;
    }

    private static boolean touches(Traffic traffic) {
        return traffic == Traffic.ALL || traffic == Traffic.PICKED;
    }

    private void count(String name, String op, Step step, long done, long read, long written) {
        flops = SaturatingMath.plus(flops, done);
        bytesRead = SaturatingMath.plus(bytesRead, read);
        bytesWritten = SaturatingMath.plus(bytesWritten, written);
        seconds += Machine.ASSUMED.seconds(done, SaturatingMath.plus(read, written));
        work.add(done, SaturatingMath.plus(read, written));
        byOp.merge(op, new OpSummary(op, 1, done, read, written), CostTotals::sum);
        if (rows.size() == MAX_ROWS) {
            rowsCut = true;
            return;
        }
        String shape = step.outputs().isEmpty()
                ? "?"
                : step.outputs().getFirst().shape().map(Object::toString).orElse("?");
        double intensity = intensity(done, SaturatingMath.plus(read, written));
        rows.add(new OperatorCost(name, op, shape, done, read, written, intensity));
    }

    private static OpSummary sum(OpSummary a, OpSummary b) {
        return new OpSummary(
                a.op(),
                a.count() + b.count(),
                SaturatingMath.plus(a.flops(), b.flops()),
                SaturatingMath.plus(a.bytesRead(), b.bytesRead()),
                SaturatingMath.plus(a.bytesWritten(), b.bytesWritten()));
    }

    CallWork work(long weightBytes, long ioBytes) {
        return Analysis.callWork(
                flops, byOp.values(), SaturatingMath.plus(bytesRead, bytesWritten), weightBytes, ioBytes);
    }

    List<OpSummary> byOp() {
        return byOp.values().stream()
                .sorted(Comparator.comparingLong(OpSummary::flops).reversed().thenComparing(OpSummary::op))
                .toList();
    }

    static double intensity(long flops, long bytes) {
        return bytes == 0 ? 0 : (double) flops / bytes;
    }

    private static String label(Node node) {
        if (!node.name().isEmpty()) {
            return node.name();
        }
        return node.outputs().isEmpty() ? node.op() : node.outputs().getFirst();
    }
}
