package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.inputs;
import static io.knabla.functions.compiler.importer.LoweringHelpers.one;
import static io.knabla.functions.compiler.importer.LoweringHelpers.recreate;
import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
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
        LoweringHelpers.put(table, "Sum", (code, call) -> code.sum(operands(call)));
        LoweringHelpers.put(
                table,
                "Mean",
                (code, call) ->
                        code.div(code.sum(operands(call)), operands(call).size()));
        LoweringHelpers.put(table, "Min", (code, call) -> chain(call, code::min));
        LoweringHelpers.put(table, "Max", (code, call) -> chain(call, code::max));
        LoweringHelpers.put(table, "Identity", (_, call) -> requiredInput(call, 0));
        LoweringHelpers.put(table, "Cast", Elementwise::cast);
        LoweringHelpers.put(
                table, "CastLike", (code, call) -> code.castLike(requiredInput(call, 0), requiredInput(call, 1)));
        table.put("PRelu", Elementwise::prelu);
    }

    private static List<Value> operands(Call call) {
        List<Value> operands = call.spec().inputs();
        if (operands.isEmpty() || operands.contains(null)) {
            throw new UnsupportedOperatorException("has no operands");
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
        Value a = requiredInput(call, 0);
        Value b = requiredInput(call, 1);
        if (call.attributes().integer("broadcast", 0) == 1 && call.attributes().has("axis")) {
            long axis = LoweringHelpers.axis(call.attributes().integer("axis", 0), a.rank(), true);
            long behind = a.rank() - axis - b.rank();
            if (behind < 0) {
                throw new UnsupportedOperatorException(
                        "broadcasts its second operand from an axis where it does not fit");
            }
            b = code.unsqueeze(b, LoweringHelpers.range(b.rank(), b.rank() + behind));
        }
        return recreate(code, call, Attributes.NONE, inputs(a, b));
    }

    private static Value cast(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        String name = call.opset() < 6 ? call.attributes().text("to", "") : "";
        ElementType to = name.isEmpty() ? number(call.attributes().integer("to", 0)) : named(name);
        if (to == ElementType.UNDEFINED) {
            throw new UnsupportedOperatorException("casts to a type that ONNX does not have");
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
        Value x = requiredInput(call, 0);
        Value slope = requiredInput(call, 1);
        if (call.opset() >= BROADCASTS_LIKE_NUMPY
                || slope.rank() != 1
                || slope.dim(0).is(1)) {
            return Optional.empty();
        }
        Value spread = code.unsqueeze(slope, LoweringHelpers.range(1, Math.max(1, x.rank() - 1)));
        return one(code.op("PRelu", x, spread));
    }
}
