package io.knabla.functions.graph.lower;

import static io.knabla.functions.graph.lower.Forms.as;
import static io.knabla.functions.graph.lower.Forms.need;
import static io.knabla.functions.graph.lower.Forms.one;
import static io.knabla.functions.graph.lower.Forms.range;

import io.knabla.functions.graph.ssa.Lowering;
import io.knabla.functions.graph.ssa.Lowering.Call;
import io.knabla.functions.graph.ssa.Ops;
import io.knabla.functions.graph.ssa.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reductions along stated axes; those of a function of the elements become that function and a sum. */
final class Reductions {
    private Reductions() {}

    /** What happens to each element before, and to the result after. */
    private record Kind(UnaryOperator<Value> before, String reduce, UnaryOperator<Value> after) {
        static Kind plain(String op) {
            return new Kind(UnaryOperator.identity(), op, UnaryOperator.identity());
        }
    }

    static void register(Map<String, Lowering> table) {
        for (String op :
                List.of(
                        "ReduceSum",
                        "ReduceMean",
                        "ReduceMax",
                        "ReduceMin",
                        "ReduceProd",
                        "ReduceL1",
                        "ReduceL2",
                        "ReduceLogSum",
                        "ReduceLogSumExp",
                        "ReduceSumSquare")) {
            table.put(op, Reductions::reduce);
        }
        Forms.put(table, "GlobalAveragePool", (code, call) -> global(code, call, "ReduceMean"));
        Forms.put(table, "GlobalMaxPool", (code, call) -> global(code, call, "ReduceMax"));
        Forms.put(table, "GlobalLpPool", Reductions::globalLp);
    }

    /** L2 and LogSumExp stay whole: their derivatives are simpler, and safe where the parts' are not. */
    private static Kind kind(Ops code, String op) {
        return switch (op) {
            case "ReduceL1" -> new Kind(code::abs, "ReduceSum", UnaryOperator.identity());
            case "ReduceSumSquare" -> new Kind(code::square, "ReduceSum", UnaryOperator.identity());
            case "ReduceLogSum" -> new Kind(UnaryOperator.identity(), "ReduceSum", code::log);
            default -> Kind.plain(op);
        };
    }

    private static Optional<List<Value>> reduce(Ops code, Call call) {
        Value x = need(call, 0);
        Kind kind = kind(code, call.type());
        boolean computed =
                !call.attributes().has("axes") && call.has(1) && call.input(1).numbers().isEmpty();
        if (computed || x.shape().isEmpty()) {
            return kind.reduce.equals(call.type())
                    ? Optional.empty()
                    : one(kind.after.apply(dynamic(code, call, kind)));
        }
        List<Long> axes = Axes.stated(call, "axes", 1).orElse(List.of());
        boolean none = call.attributes().integer("noop_with_empty_axes", 0) == 1;
        if (axes.isEmpty() && none) {
            return one(kind.reduce.equals("ReduceL2") ? code.abs(x) : elements(kind, x));
        }
        List<Long> all = axes.isEmpty() ? range(0, x.rank()) : Forms.axes(axes, x.rank());
        boolean keep = call.attributes().integer("keepdims", 1) == 1;
        List<Long> sorted = all.stream().sorted().toList();
        if (sorted.isEmpty() && kind.reduce.equals("ReduceL2")) {
            return one(code.abs(x));
        }
        return one(kind.after.apply(code.reduce(kind.reduce, kind.before.apply(x), sorted, keep)));
    }

    private static Value elements(Kind kind, Value x) {
        return kind.after.apply(kind.before.apply(x));
    }

    private static Value dynamic(Ops code, Call call, Kind kind) {
        List<Value> inputs = Forms.with(call.spec().inputs(), 0, kind.before.apply(need(call, 0)));
        return as(code, call, kind.reduce, call.attributes(), inputs).orElseThrow().getFirst();
    }

    private static Value global(Ops code, Call call, String reduce) {
        Value x = need(call, 0);
        return code.reduce(reduce, x, range(2, x.rank()), true);
    }

    private static Value globalLp(Ops code, Call call) {
        Value x = need(call, 0);
        long p = call.attributes().integer("p", 2);
        List<Long> axes = range(2, x.rank());
        if (p == 2) {
            return code.reduce("ReduceL2", x, axes, true);
        }
        Value sum = code.reduceSum(powered(code, x, p), axes, true);
        return rooted(code, sum, p);
    }

    static Value powered(Ops code, Value x, long p) {
        Value size = code.abs(x);
        return p == 1 ? size : p == 2 ? code.square(x) : code.pow(size, code.scalar(x, p));
    }

    static Value rooted(Ops code, Value sum, long p) {
        return p == 1 ? sum : code.pow(sum, code.scalar(sum, 1.0 / p));
    }
}
