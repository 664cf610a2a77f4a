package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Map;

/**
 * Derivative rules of ScatterElements and ScatterND, for the reductions none, add, mul, max and min. Without a
 * reduction positions must differ, as ONNX demands; with one, updates at equal positions are combined.
 */
final class Scatters {
    private Scatters() {}

    /** One of the two operators, with the gather operator that is its counterpart. */
    private record ScatterOp(RuleContext at, Op op) {
        Value data() {
            return op.input(0);
        }

        Value updates() {
            return op.input(2);
        }

        Value gather(Value from) {
            return op.is("ScatterND")
                    ? at.op("GatherND", from, op.input(1))
                    : at.op("GatherElements", axis(), from, op.input(1));
        }

        Value scatter(Value data, Value updates, String reduction) {
            return at.op(op.type(), op.attributes().with("reduction", reduction), data, op.input(1), updates);
        }

        Value sum(Value data, Value updates) {
            return op.is("ScatterND")
                    ? ScatterHelpers.scatterNdAdd(at, data, op.input(1), updates)
                    : ScatterHelpers.scatterAdd(
                            at, data, op.input(1), updates, op.attributes().integer("axis", 0));
        }

        private Attributes axis() {
            return Attributes.of("axis", op.attributes().integer("axis", 0));
        }
    }

    static void register(Map<String, Rule> table) {
        table.put("ScatterElements", Scatters::scatter);
        table.put("ScatterND", Scatters::scatter);
    }

    private static List<Value> scatter(RuleContext at, Op op, List<Value> dy) {
        var kind = new ScatterOp(at, op);
        String reduction = op.attributes().text("reduction", "none");
        return switch (reduction) {
            case "none" -> written(kind, dy.getFirst());
            case "add" -> of(dy.getFirst(), null, kind.gather(dy.getFirst()));
            case "mul" -> multiplied(kind, dy.getFirst());
            case "max", "min" -> extreme(kind, dy.getFirst());
            default -> throw new UnsupportedOperatorException("has no derivative with the reduction " + reduction);
        };
    }

    private static List<Value> written(ScatterOp kind, Value dy) {
        Value kept = kind.scatter(dy, kind.at.zeros(kind.updates()), "none");
        return of(kept, null, kind.gather(dy));
    }

    /**
     * Each factor's adjoint is the product of the others, which a quotient cannot give if a factor is zero: zeros are
     * counted separately, and the product is of the rest.
     */
    private static List<Value> multiplied(ScatterOp kind, Value dy) {
        RuleContext at = kind.at;
        Value data = kind.data();
        Value updates = kind.updates();
        Value product = kind.scatter(nonZero(at, data), nonZero(at, updates), "mul");
        Value zeros = kind.sum(zero(at, data), zero(at, updates));
        Value dData = others(at, dy, product, zeros, data);
        Value dUpdates = others(at, kind.gather(dy), kind.gather(product), kind.gather(zeros), updates);
        return of(dData, null, dUpdates);
    }

    private static Value nonZero(RuleContext at, Value x) {
        return at.where(at.equal(x, at.scalar(x, 0)), at.scalar(x, 1), x);
    }

    private static Value zero(RuleContext at, Value x) {
        return at.indicator(at.equal(x, at.scalar(x, 0)), x);
    }

    /** The adjoint times the product without {@code x}, which is 0 if another factor is. */
    static Value others(RuleContext at, Value dy, Value product, Value zeros, Value x) {
        Value free = at.equal(zeros, zero(at, x));
        Value rest = at.div(at.mul(dy, product), nonZero(at, x));
        return at.where(free, rest, at.scalar(dy, 0));
    }

    /** Elements that tie share the adjoint equally. */
    private static List<Value> extreme(ScatterOp kind, Value dy) {
        RuleContext at = kind.at;
        Value y = kind.op.output();
        Value dataWins = at.indicator(at.equal(kind.data(), y), y);
        Value updateWins = at.indicator(at.equal(kind.updates(), kind.gather(y)), y);
        Value share = at.div(dy, kind.sum(dataWins, updateWins));
        return of(at.mul(share, dataWins), null, at.mul(kind.gather(share), updateWins));
    }
}
