package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.one;
import static io.knabla.functions.compiler.importer.LoweringHelpers.range;
import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lowers reductions to explicit axes, counted from the front, and global pooling to reductions. */
final class Reductions {
    private Reductions() {}

    static void register(Map<String, Lowering> table) {
        for (String op : List.of(
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
        LoweringHelpers.put(table, "GlobalAveragePool", (code, call) -> global(code, call, "ReduceMean"));
        LoweringHelpers.put(table, "GlobalMaxPool", (code, call) -> global(code, call, "ReduceMax"));
        LoweringHelpers.put(table, "GlobalLpPool", Reductions::globalLp);
    }

    private static Optional<List<Value>> reduce(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        if (x.shape().isEmpty()) {
            return Optional.empty();
        }
        List<Long> axes = Axes.stated(call, "axes", 1).orElse(List.of());
        boolean none = call.attributes().integer("noop_with_empty_axes", 0) == 1;
        List<Long> all = axes.isEmpty() ? range(0, x.rank()) : LoweringHelpers.axes(axes, x.rank());
        if (axes.isEmpty() && none || all.isEmpty()) {
            return one(ofOne(code, call.type(), x));
        }
        boolean keep = call.attributes().integer("keepdims", 1) == 1;
        return one(code.reduce(call.type(), x, all.stream().sorted().toList(), keep));
    }

    /** Result of a reduction over a single element. */
    private static Value ofOne(Ops code, String op, Value x) {
        return switch (op) {
            case "ReduceL1", "ReduceL2" -> code.abs(x);
            case "ReduceSumSquare" -> code.square(x);
            case "ReduceLogSum" -> code.log(x);
            default -> x;
        };
    }

    private static Value global(Ops code, Call call, String reduce) {
        Value x = requiredInput(call, 0);
        return code.reduce(reduce, x, range(2, x.rank()), true);
    }

    private static Value globalLp(Ops code, Call call) {
        Value x = requiredInput(call, 0);
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
