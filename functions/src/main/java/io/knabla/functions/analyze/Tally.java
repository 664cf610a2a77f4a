package io.knabla.functions.analyze;

import io.knabla.functions.analyze.Analysis.OpSummary;
import io.knabla.functions.analyze.Analysis.OperatorCost;
import io.knabla.functions.analyze.CostRule.Traffic;
import io.knabla.functions.graph.Node;
import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.shape.Guarded;
import io.knabla.functions.graph.shape.OpContext;
import io.knabla.functions.graph.shape.Trace;
import io.knabla.functions.graph.shape.Trace.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Accumulates the costs of all operators of a trace. */
final class Tally {
    private static final int MAX_ROWS = 20_000;

    final List<OperatorCost> rows = new ArrayList<>();
    final Map<String, Integer> unknownOps = new TreeMap<>();
    private final Map<String, OpSummary> byOp = new HashMap<>();
    long flops;
    long bytesRead;
    long bytesWritten;
    double seconds;
    final Roofline work = new Roofline();
    int unknownShapes;
    boolean rowsCut;

    void add(Trace trace, long repeat, String path) {
        for (Step step : trace.steps()) {
            String name = path + label(step.op().node());
            switch (step.kind()) {
                case OPERATOR -> operator(step, repeat, name);
                case LOOP, CALL -> add(step.bodies().getFirst(), Amounts.times(repeat, step.repeat()), name + "/");
                case CHOICE -> costlier(step, repeat, name);
            }
        }
    }

    /** Only one branch runs; counts the more expensive one. */
    private void costlier(Step step, long repeat, String name) {
        Tally dearest = null;
        for (Trace body : step.bodies()) {
            var branch = new Tally();
            branch.add(body, repeat, name + "/");
            if (dearest == null || branch.seconds > dearest.seconds) {
                dearest = branch;
            }
        }
        if (dearest != null) {
            add(dearest);
        }
    }

    private void add(Tally other) {
        flops = Amounts.plus(flops, other.flops);
        bytesRead = Amounts.plus(bytesRead, other.bytesRead);
        bytesWritten = Amounts.plus(bytesWritten, other.bytesWritten);
        seconds += other.seconds;
        work.add(other.work);
        unknownShapes += other.unknownShapes;
        other.unknownOps.forEach((op, count) -> unknownOps.merge(op, count, Integer::sum));
        other.byOp.forEach((op, sum) -> byOp.merge(op, sum, Tally::sum));
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
        return Amounts.times(amount, repeat);
    }

    private static long flops(CostRule rule, Step step) {
        return Guarded.get(() -> step.outputs().isEmpty() ? 0 : rule.flops().of(step.op(), step.outputs()), 0L);
    }

    private static long written(Step step) {
        long sum = 0;
        for (TensorType output : step.outputs()) {
            sum = Amounts.plus(sum, Amounts.bytes(output));
        }
        return sum;
    }

    private static long read(OpContext op, Traffic traffic, long written) {
        long sum = traffic == Traffic.PICKED ? written : 0;
        int from = traffic == Traffic.PICKED ? 1 : 0;
        for (int i = from; i < op.node().inputs().size() && touches(traffic); i++) {
            sum = Amounts.plus(sum, Amounts.bytes(op.input(i).type()));
        }
        return sum;
    }

    private static boolean touches(Traffic traffic) {
        return traffic == Traffic.ALL || traffic == Traffic.PICKED;
    }

    private void count(String name, String op, Step step, long done, long read, long written) {
        flops = Amounts.plus(flops, done);
        bytesRead = Amounts.plus(bytesRead, read);
        bytesWritten = Amounts.plus(bytesWritten, written);
        seconds += Machine.ASSUMED.seconds(done, Amounts.plus(read, written));
        work.add(done, Amounts.plus(read, written));
        byOp.merge(op, new OpSummary(op, 1, done, read, written), Tally::sum);
        if (rows.size() == MAX_ROWS) {
            rowsCut = true;
            return;
        }
        String shape = step.outputs().isEmpty()
                ? "?"
                : step.outputs().getFirst().shape().map(Object::toString).orElse("?");
        double intensity = intensity(done, Amounts.plus(read, written));
        rows.add(new OperatorCost(name, op, shape, done, read, written, intensity));
    }

    private static OpSummary sum(OpSummary a, OpSummary b) {
        return new OpSummary(
                a.op(),
                a.count() + b.count(),
                Amounts.plus(a.flops(), b.flops()),
                Amounts.plus(a.bytesRead(), b.bytesRead()),
                Amounts.plus(a.bytesWritten(), b.bytesWritten()));
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
