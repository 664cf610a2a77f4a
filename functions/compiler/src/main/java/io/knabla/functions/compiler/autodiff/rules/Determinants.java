package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Constants;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Derivative rule of Det: the adjoint of an entry is its cofactor, which exists for singular matrices, too (Jacobi).
 */
final class Determinants {
    /** Cofactors cost the fifth power of the size. */
    private static final long LARGEST = 16;

    private Determinants() {}

    static void register(Map<String, Rule> table) {
        table.put("Det", Determinants::det);
    }

    private static List<Value> det(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        long size = x.dim(-1).or(Long.MAX_VALUE);
        if (size > LARGEST) {
            throw new UnsupportedOperatorException(
                    "its gradient is made of all minors, which is done for matrices of a known size up to " + LARGEST);
        }
        Value spread = at.unsqueeze(dy.getFirst(), -1, -2);
        return of(size == 1 ? spread : at.mul(spread, cofactors(at, x, size)));
    }

    private static Value cofactors(RuleContext at, Value x, long size) {
        int rank = x.rank();
        Value others = others(at, size);
        Value rows = at.gather(x, others, rank - 2);
        Value minors = at.gather(rows, others, rank);
        // From […, row, its others, column, its others] to matrices behind rows and columns.
        var order = new ArrayList<>(LongStream.range(0, rank - 2).boxed().toList());
        for (long axis : new long[] {0, 2, 1, 3}) {
            order.add(rank - 2 + axis);
        }
        double[] signs = new double[(int) (size * size)];
        for (int i = 0; i < signs.length; i++) {
            signs[i] = (i / size + i % size) % 2 == 0 ? 1 : -1;
        }
        Value sign = at.builder().constant(Constants.tensor(x.element(), List.of(size, size), signs));
        return at.mul(at.op("Det", at.transpose(minors, order)), sign);
    }

    /** For each index, all other indices, {@code [size, size - 1]}. */
    private static Value others(RuleContext at, long size) {
        double[] others = LongStream.range(0, size)
                .flatMap(i -> LongStream.range(0, size).filter(j -> j != i))
                .mapToDouble(j -> j)
                .toArray();
        return at.builder()
                .constant(Constants.tensor(
                        io.knabla.functions.compiler.onnx.ElementType.INT64, List.of(size, size - 1), others));
    }
}
