package io.knabla.functions.graph.lower;

import static io.knabla.functions.graph.lower.Forms.as;
import static io.knabla.functions.graph.lower.Forms.inputs;
import static io.knabla.functions.graph.lower.Forms.need;
import static io.knabla.functions.graph.lower.Forms.one;

import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.ssa.Attributes;
import io.knabla.functions.graph.ssa.Lowering;
import io.knabla.functions.graph.ssa.Lowering.Call;
import io.knabla.functions.graph.ssa.Ops;
import io.knabla.functions.graph.ssa.Refusal;
import io.knabla.functions.graph.ssa.Value;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/** Lowers variadic arithmetic, the broadcasting of old opsets, and type conversions. */
final class Elementwise {
    private static final int BROADCASTS_LIKE_NUMPY = 7;

    private static final List<String> BINARY =
            List.of("Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Greater", "Less");

    private Elementwise() {}

    static void register(Map<String, Lowering> table) {
        BINARY.forEach(op -> table.put(op, Elementwise::binary));
        Forms.put(table, "Sum", (code, call) -> code.sum(operands(call)));
        Forms.put(
                table,
                "Mean",
                (code, call) ->
                        code.div(code.sum(operands(call)), operands(call).size()));
        Forms.put(table, "Min", (code, call) -> chain(call, code::min));
        Forms.put(table, "Max", (code, call) -> chain(call, code::max));
        Forms.put(table, "Identity", (_, call) -> need(call, 0));
        Forms.put(table, "Cast", Elementwise::cast);
        Forms.put(table, "CastLike", (code, call) -> code.castLike(need(call, 0), need(call, 1)));
        table.put("PRelu", Elementwise::prelu);
    }

    private static List<Value> operands(Call call) {
        List<Value> operands = call.spec().inputs();
        if (operands.isEmpty() || operands.contains(null)) {
            throw new Refusal("has no operands");
        }
        return operands;
    }

    private static Value chain(Call call, BinaryOperator<Value> operator) {
        return operands(call).stream().reduce(operator).orElseThrow();
    }

    /** Before opset 7 the second operand was broadcast from an axis on, and only on request. */
    private static Optional<List<Value>> binary(Ops code, Call call) {
        if (call.opset() >= BROADCASTS_LIKE_NUMPY) {
            return Optional.empty();
        }
        Value a = need(call, 0);
        Value b = need(call, 1);
        if (call.attributes().integer("broadcast", 0) == 1 && call.attributes().has("axis")) {
            long axis = Forms.axis(call.attributes().integer("axis", 0), a.rank(), true);
            long behind = a.rank() - axis - b.rank();
            if (behind < 0) {
                throw new Refusal("broadcasts its second operand from an axis where it does not fit");
            }
            b = code.unsqueeze(b, Forms.range(b.rank(), b.rank() + behind));
        }
        return as(code, call, Attributes.NONE, inputs(a, b));
    }

    private static Value cast(Ops code, Call call) {
        Value x = need(call, 0);
        String name = call.opset() < 6 ? call.attributes().text("to", "") : "";
        ElementType to = name.isEmpty() ? number(call.attributes().integer("to", 0)) : named(name);
        if (to == ElementType.UNDEFINED) {
            throw new Refusal("casts to a type that ONNX does not have");
        }
        if (x.element() == to) {
            return x;
        }
        Attributes saturate = call.attributes().has("saturate")
                ? Attributes.of("saturate", call.attributes().integer("saturate", 1))
                : Attributes.NONE;
        return code.op("Cast", saturate.with("to", to.number()), x);
    }

    private static ElementType number(long number) {
        return number == (int) number ? ElementType.of((int) number) : ElementType.UNDEFINED;
    }

    private static ElementType named(String name) {
        for (ElementType type : ElementType.values()) {
            if (type.name().equals(name.toUpperCase(Locale.ROOT))) {
                return type;
            }
        }
        return ElementType.UNDEFINED;
    }

    /** Before opset 7 the slope had one number per channel. */
    private static Optional<List<Value>> prelu(Ops code, Call call) {
        Value x = need(call, 0);
        Value slope = need(call, 1);
        if (call.opset() >= BROADCASTS_LIKE_NUMPY
                || slope.rank() != 1
                || slope.dim(0).is(1)) {
            return Optional.empty();
        }
        Value spread = code.unsqueeze(slope, Forms.range(1, Math.max(1, x.rank() - 1)));
        return one(code.op("PRelu", x, spread));
    }
}
