package io.knabla.functions.compiler.optimize.memory;

import io.knabla.functions.compiler.analyze.ExecutionSchedule;
import io.knabla.functions.compiler.analyze.OpCosts;
import io.knabla.functions.compiler.analyze.SaturatingMath;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.optimize.order.NodeOrder;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Finds the cheapest recomputation plan (gradient checkpointing) that stays within a memory limit. */
public final class RecomputationPlanner {
    /** Numbers of segments to try; the blocks of a model repeat, and other numbers rarely make a difference. */
    private static final List<Integer> COUNTS = List.of(2, 4, 8, 12, 24);

    /**
     * A recomputation plan.
     *
     * @param segments number of segments of the forward pass; 1 = nothing is recomputed
     * @param peakBefore bytes without recomputation, as {@link ExecutionSchedule} predicts them
     * @param peakAfter bytes with it
     * @param seconds cost of the recomputation, on the reference machine
     * @param reason why this plan
     */
    public record Plan(
            Dag dag, NodeOrder order, int segments, long peakBefore, long peakAfter, double seconds, String reason) {}

    private RecomputationPlanner() {}

    /**
     * @param results of the plain model; the operations behind them are the forward pass
     * @param mostBytes limit on the memory of values; if empty, the least possible
     */
    public static Plan plan(Dag dag, Collection<Value> results, OptionalLong mostBytes) {
        NodeOrder before = NodeOrder.of(dag);
        long peak = before.schedule().peak();
        if (mostBytes.isPresent() && peak <= mostBytes.getAsLong()) {
            return plain(dag, before, "%,d bytes are within the limit".formatted(peak));
        }
        List<Plan> candidates = candidates(dag, before, results);
        long least = candidates.stream().mapToLong(Plan::peakAfter).min().orElse(peak);
        // If nothing fits, slightly more memory than the least may save much time.
        long limit = Math.max(mostBytes.orElse(0), least + least / 20);
        return candidates.stream()
                .filter(plan -> plan.peakAfter() <= limit && plan.peakAfter() < peak)
                .min(Comparator.comparingDouble(Plan::seconds))
                .orElseGet(() -> plain(dag, before, "recomputation would not save memory"));
    }

    private static Plan plain(Dag dag, NodeOrder arrangement, String reason) {
        long peak = arrangement.schedule().peak();
        return new Plan(dag, arrangement, 1, peak, peak, 0, reason);
    }

    private static List<Plan> candidates(Dag dag, NodeOrder before, Collection<Value> results) {
        ForwardPass forward = ForwardPass.of(before.schedule().order(), results, SaturatingMath::bytes);
        return Stream.of(true, false)
                .flatMap(products -> COUNTS.stream().map(n -> Segments.cut(forward, n, products)))
                .distinct()
                .filter(segments -> segments.last() > 0)
                .map(segments -> candidate(dag, before, segments))
                .toList();
    }

    private static Plan candidate(Dag dag, NodeOrder before, Segments segments) {
        var result = RecomputationRewriter.apply(dag, before.file(), segments);
        NodeOrder after = NodeOrder.earliestReadyLast(result.dag(), result.sequence());
        double seconds = 0;
        for (Op op : result.repeated()) {
            seconds += OpCosts.seconds(op, dag.opset());
        }
        long peak = after.schedule().peak();
        String reason = "%d segments, %s recomputed: %,d instead of %,d bytes for %.1f ms more"
                .formatted(
                        segments.last() + 1,
                        segments.products() ? "all but products" : "everything",
                        peak,
                        before.schedule().peak(),
                        seconds * 1000);
        return new Plan(
                result.dag(), after, segments.last() + 1, before.schedule().peak(), peak, seconds, reason);
    }
}
