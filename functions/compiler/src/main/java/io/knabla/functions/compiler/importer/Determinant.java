package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.one;
import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lowers determinants of small matrices to an expansion by minors, each computed once. */
final class Determinant {
    /** Larger matrices have too many minors: 2ⁿ. */
    private static final int MAX = 6;

    private Determinant() {}

    static void register(Map<String, Lowering> table) {
        table.put("Det", Determinant::lower);
    }

    private static Optional<List<Value>> lower(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        if (x.rank() < 2 || !(x.dim(-1) instanceof Dim.Known(var size)) || size < 1 || size > MAX) {
            return Optional.empty();
        }
        int n = (int) size;
        Map<Integer, Value> minors = new HashMap<>();
        for (int columns = 1; columns < 1 << n; columns++) {
            minors.put(columns, minor(code, x, n, columns, minors));
        }
        return one(minors.get((1 << n) - 1));
    }

    /** Minor of the given columns and as many first rows, expanded along the last of these rows. */
    private static Value minor(Ops code, Value x, int n, int columns, Map<Integer, Value> minors) {
        int row = Integer.bitCount(columns) - 1;
        Value sum = null;
        int after = row;
        for (int column = 0; column < n; column++) {
            if ((columns >> column & 1) == 0) {
                continue;
            }
            int rest = columns & ~(1 << column);
            Value element = element(code, x, row, column);
            Value term = rest == 0 ? element : code.mul(element, minors.get(rest));
            boolean negative = after-- % 2 == 1;
            Value signed = negative ? code.neg(term) : term;
            sum = sum == null ? signed : code.add(sum, signed);
        }
        return sum;
    }

    private static Value element(Ops code, Value x, int row, int column) {
        Value line = code.gather(x, code.integer(row), x.rank() - 2L);
        return code.gather(line, code.integer(column), x.rank() - 2L);
    }
}
