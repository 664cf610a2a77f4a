package io.knabla.functions.compiler.optimize.memory;

import io.knabla.functions.compiler.analyze.ExecutionSchedule;
import io.knabla.functions.compiler.analyze.OpCosts;
import io.knabla.functions.compiler.analyze.SaturatingMath;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.optimize.order.Arrangement;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Searches for the cheapest way to stay within an amount of memory. */
public final class Recomputing {
    /** Numbers of stretches that are tried; blocks of a model repeat, so more of them rarely differ. */
    private static final List<Integer> COUNTS = List.of(2, 4, 8, 12, 24);

    /**
     * How it is done.
     *
     * @param stretches of the forward part; 1 = nothing is computed again
     * @param peakBefore bytes without recomputing, as {@link ExecutionSchedule} foretells them
     * @param peakAfter bytes with it
     * @param seconds that recomputing costs, on the reference machine
     * @param reason why this way
     */
    public record Plan(
            Dag dag,
            Arrangement arrangement,
            int stretches,
            long peakBefore,
            long peakAfter,
            double seconds,
            String reason) {}

    private Recomputing() {}

    /**
     * @param results of the plain model: what they need is the forward part
     * @param mostBytes that values may take; without it as few as can be
     */
    public static Plan plan(Dag dag, Collection<Value> results, OptionalLong mostBytes) {
        Arrangement before = Arrangement.of(dag);
        long peak = before.timetable().peak();
        if (mostBytes.isPresent() && peak <= mostBytes.getAsLong()) {
            return plain(dag, before, "%,d bytes are within the limit".formatted(peak));
        }
        List<Plan> candidates = candidates(dag, before, results);
        long least = candidates.stream().mapToLong(Plan::peakAfter).min().orElse(peak);
        // Where nothing fits, a little more memory than the least may save much time.
        long limit = Math.max(mostBytes.orElse(0), least + least / 20);
        return candidates.stream()
                .filter(plan -> plan.peakAfter() <= limit && plan.peakAfter() < peak)
                .min(Comparator.comparingDouble(Plan::seconds))
                .orElseGet(() -> plain(dag, before, "recomputing would not save memory"));
    }

    private static Plan plain(Dag dag, Arrangement arrangement, String reason) {
        long peak = arrangement.timetable().peak();
        return new Plan(dag, arrangement, 1, peak, peak, 0, reason);
    }

    private static List<Plan> candidates(Dag dag, Arrangement before, Collection<Value> results) {
        Forward forward = Forward.of(before.timetable().order(), results, SaturatingMath::bytes);
        return Stream.of(true, false)
                .flatMap(products -> COUNTS.stream().map(n -> Segments.cut(forward, n, products)))
                .distinct()
                .filter(segments -> segments.last() > 0)
                .map(segments -> candidate(dag, before, segments))
                .toList();
    }

    private static Plan candidate(Dag dag, Arrangement before, Segments segments) {
        var result = Recomputation.apply(dag, before.file(), segments);
        Arrangement after = Arrangement.readiestLast(result.dag(), result.sequence());
        double seconds = 0;
        for (Op op : result.repeated()) {
            seconds += OpCosts.seconds(op, dag.opset());
        }
        long peak = after.timetable().peak();
        String reason = "%d stretches, %s computed again: %,d instead of %,d bytes for %.1f ms more"
                .formatted(
                        segments.last() + 1,
                        segments.products() ? "all but products" : "everything",
                        peak,
                        before.timetable().peak(),
                        seconds * 1000);
        return new Plan(
                result.dag(), after, segments.last() + 1, before.timetable().peak(), peak, seconds, reason);
    }
}
