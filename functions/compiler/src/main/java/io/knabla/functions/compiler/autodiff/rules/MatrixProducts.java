package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Map;

/** Derivative rules of MatMul and Gemm: dA = dY · Bᵀ, dB = Aᵀ · dY, summed over broadcast axes. */
final class MatrixProducts {
    private MatrixProducts() {}

    static void register(Map<String, Rule> table) {
        table.put("MatMul", MatrixProducts::matMul);
        table.put("Gemm", MatrixProducts::gemm);
    }

    private static List<Value> matMul(RuleContext at, Op op, List<Value> given) {
        Value a = op.input(0);
        Value b = op.input(1);
        Value left = a.rank() == 1 ? at.unsqueeze(a, 0) : a;
        Value right = b.rank() == 1 ? at.unsqueeze(b, 1) : b;
        Value dy = given.getFirst();
        dy = b.rank() == 1 ? at.unsqueeze(dy, -1) : dy;
        dy = a.rank() == 1 ? at.unsqueeze(dy, -2) : dy;
        Value da = at.needsAdjoint(op, 0) ? left(at, left, right, dy) : null;
        Value db = at.needsAdjoint(op, 1) ? right(at, left, right, dy) : null;
        return of(
                da == null || a.rank() > 1 ? da : at.reshapeLike(da, a),
                db == null || b.rank() > 1 ? db : at.reshapeLike(db, b));
    }

    private static Value left(RuleContext at, Value a, Value b, Value dy) {
        return at.unbroadcast(at.matmul(dy, at.transposed(b)), a);
    }

    private static Value right(RuleContext at, Value a, Value b, Value dy) {
        if (b.rank() > 2 || a.rank() == 2) {
            return at.unbroadcast(at.matmul(at.transposed(a), dy), b);
        }
        // One product over all rows instead of one for each matrix of the batch and a sum of them.
        return at.op("Gemm", Attributes.of("transA", 1), rows(at, a), rows(at, dy));
    }

    private static Value rows(RuleContext at, Value a) {
        Value row = at.sizeOf(a, a.rank() - 1);
        return at.op("Reshape", a, at.concat(0, at.ints(-1), row));
    }

    private static List<Value> gemm(RuleContext at, Op op, List<Value> dy) {
        boolean ta = op.attributes().integer("transA", 0) == 1;
        boolean tb = op.attributes().integer("transB", 0) == 1;
        Value a = op.input(0);
        Value b = op.input(1);
        Value y = dy.getFirst();
        Value da = ta ? product(at, op, b, tb, y, true) : product(at, op, y, false, b, !tb);
        Value db = tb ? product(at, op, y, true, a, ta) : product(at, op, a, !ta, y, false);
        if (!op.has(2)) {
            return of(da, db);
        }
        Value dc = at.unbroadcast(y, op.input(2));
        return of(da, db, at.mul(dc, op.attributes().real("beta", 1)));
    }

    private static Value product(RuleContext at, Op op, Value a, boolean transA, Value b, boolean transB) {
        Attributes attributes = Attributes.of("transA", transA ? 1 : 0)
                .with("transB", transB ? 1 : 0)
                .with("alpha", op.attributes().real("alpha", 1));
        return at.op("Gemm", attributes, a, b);
    }
}
