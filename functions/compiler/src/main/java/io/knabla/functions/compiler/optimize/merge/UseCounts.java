package io.knabla.functions.compiler.optimize.merge;

import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Finds the values that are used exactly once, as an operand or as an output of the graph. */
final class UseCounts {
    private final Map<Value, Integer> counts = new HashMap<>();

    UseCounts(Dag dag) {
        dag.outputs().values().forEach(this::add);
        for (Op op : dag.ops()) {
            op.operands().stream().filter(Objects::nonNull).forEach(this::add);
        }
    }

    private void add(Value value) {
        counts.merge(value, 1, Integer::sum);
    }

    boolean isUsedOnce(Value value) {
        return counts.getOrDefault(value, 0) == 1;
    }
}
