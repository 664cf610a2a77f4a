package io.knabla.functions.compiler.optimize.algebra;

import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Removes an Expand before an elementwise operator that broadcasts the operand anyway. */
final class ExpandElimination {
    private static final Set<String> BROADCASTING = Set.of("Add", "Sub", "Mul", "Div", "Where", "Max", "Min");

    private ExpandElimination() {}

    static Optional<List<Value>> rewrite(Ops code, Op op) {
        if (!BROADCASTING.contains(op.type())
                || !op.domain().isEmpty()
                || op.output().sizes().isEmpty()) {
            return Optional.empty();
        }
        Value[] operands = op.inputs().toArray(Value[]::new);
        boolean changed = false;
        for (int i = 0; i < operands.length; i++) {
            Optional<Value> small = expandOperand(operands[i]);
            if (small.isPresent() && fullBeside(operands, i, op.output())) {
                operands[i] = small.get();
                changed = true;
            }
        }
        return changed ? Optional.of(List.of(code.op(op.type(), op.attributes(), operands))) : Optional.empty();
    }

    private static Optional<Value> expandOperand(Value value) {
        return value.producer("Expand")
                .map(op -> op.input(0))
                .filter(small -> small.sizes().isPresent());
    }

    private static boolean fullBeside(Value[] operands, int except, Value result) {
        for (int i = 0; i < operands.length; i++) {
            if (i != except && StaticShapes.same(operands[i], result)) {
                return true;
            }
        }
        return false;
    }
}
