package io.knabla.functions.chat.render;

import io.knabla.functions.chat.syntax.Expression.Arithmetic.Operator;
import io.knabla.functions.chat.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Computes with values as Python does; an integer beyond 64 bits is refused. */
final class Arithmetics {
    private final Budget budget;

    Arithmetics(Budget budget) {
        this.budget = budget;
    }

    Value compute(Operator operator, Value left, Value right) {
        if (Comparisons.isNumber(left) && Comparisons.isNumber(right)) {
            return numbers(operator, left, right);
        }
        return switch (operator) {
            case ADD -> join(left, right);
            case MULTIPLY -> repeat(left, right);
            case MODULO ->
                throw left instanceof Value.Text
                        ? RefusedException.of("formatting by %% is not supported; join strings by ~")
                        : mismatch(operator, left, right);
            case SUBTRACT, DIVIDE, DIVIDE_DOWN, POWER -> throw mismatch(operator, left, right);
        };
    }

    private static RefusedException mismatch(Operator operator, Value left, Value right) {
        String sign = switch (operator) {
            case ADD -> "+";
            case SUBTRACT -> "-";
            case MULTIPLY -> "*";
            case DIVIDE -> "/";
            case DIVIDE_DOWN -> "//";
            case MODULO -> "%";
            case POWER -> "**";
        };
        return RefusedException.of("'%s' between %s and %s is not possible", sign, named(left), named(right));
    }

    private static String named(Value value) {
        return value instanceof Value.Undefined(String name) ? "'" + name + "', which is undefined," : value.type();
    }

    private Value join(Value left, Value right) {
        if (left instanceof Value.Text(String text) && right instanceof Value.Text(String more)) {
            budget.charge((long) text.length() + more.length());
            return new Value.Text(text + more);
        }
        if (left instanceof Value.Items(List<Value> items, boolean tuple)
                && right instanceof Value.Items(List<Value> more, boolean otherTuple)
                && tuple == otherTuple) {
            budget.chargeItems((long) items.size() + more.size());
            List<Value> all = new ArrayList<>(items);
            all.addAll(more);
            return new Value.Items(all, tuple);
        }
        throw mismatch(Operator.ADD, left, right);
    }

    private Value repeat(Value left, Value right) {
        boolean countFirst = left instanceof Value.Int || left instanceof Value.Bool;
        Value all = countFirst ? right : left;
        Value count = countFirst ? left : right;
        if (!(count instanceof Value.Int) && !(count instanceof Value.Bool)) {
            throw mismatch(Operator.MULTIPLY, left, right);
        }
        long times = Math.max(0, whole(count));
        return switch (all) {
            case Value.Text(String text) -> {
                budget.charge(product(text.length(), times));
                yield new Value.Text(text.repeat(text.isEmpty() ? 0 : (int) times));
            }
            case Value.Items(List<Value> items, boolean tuple) -> {
                budget.chargeItems(product(items.size(), times));
                yield new Value.Items(repeated(items, times), tuple);
            }
            default -> throw mismatch(Operator.MULTIPLY, left, right);
        };
    }

    private static long product(long size, long times) {
        return times > 0 && size > Long.MAX_VALUE / times ? Long.MAX_VALUE : size * times;
    }

    private static List<Value> repeated(List<Value> items, long times) {
        List<Value> all = new ArrayList<>();
        for (long i = 0; i < times && !items.isEmpty(); i++) {
            all.addAll(items);
        }
        return all;
    }

    private static Value numbers(Operator operator, Value left, Value right) {
        boolean reals = left instanceof Value.Real || right instanceof Value.Real || operator == Operator.DIVIDE;
        boolean zero = real(right) == 0;
        if (zero && (operator == Operator.DIVIDE || operator == Operator.DIVIDE_DOWN || operator == Operator.MODULO)) {
            throw RefusedException.of("a number is divided by zero");
        }
        try {
            return reals ? reals(operator, real(left), real(right)) : wholes(operator, whole(left), whole(right));
        } catch (ArithmeticException large) {
            throw RefusedException.of("an integer has more than 64 bits");
        }
    }

    private static Value reals(Operator operator, double a, double b) {
        double result = switch (operator) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> a / b;
            case DIVIDE_DOWN -> Math.floor((a - floorMod(a, b)) / b + 0.5);
            case MODULO -> floorMod(a, b);
            case POWER -> Math.pow(a, b);
        };
        return new Value.Real(result);
    }

    private static double floorMod(double a, double b) {
        double rest = a % b;
        if (rest == 0) {
            return Math.copySign(0, b);
        }
        return rest < 0 != b < 0 ? rest + b : rest;
    }

    private static Value wholes(Operator operator, long a, long b) {
        if (operator == Operator.POWER && b < 0) {
            return new Value.Real(Math.pow(a, b));
        }
        return new Value.Int(
                switch (operator) {
                    case ADD -> Math.addExact(a, b);
                    case SUBTRACT -> Math.subtractExact(a, b);
                    case MULTIPLY -> Math.multiplyExact(a, b);
                    case DIVIDE -> throw new IllegalStateException("a division has a real result");
                    case DIVIDE_DOWN -> Math.floorDiv(a, b);
                    case MODULO -> Math.floorMod(a, b);
                    case POWER -> power(a, b);
                });
    }

    private static long power(long base, long exponent) {
        long result = 1;
        long square = base;
        for (long rest = exponent; rest > 0; rest >>= 1) {
            if ((rest & 1) == 1) {
                result = Math.multiplyExact(result, square);
            }
            square = rest > 1 ? Math.multiplyExact(square, square) : 0;
        }
        return result;
    }

    Value negative(Value value) {
        if (value instanceof Value.Real(double number)) {
            return new Value.Real(-number);
        }
        return compute(Operator.SUBTRACT, new Value.Int(0), value);
    }

    static double real(Value number) {
        return number instanceof Value.Real(double value) ? value : whole(number);
    }

    /** An integer, or a boolean as 1 and 0. */
    static long whole(Value number) {
        return switch (number) {
            case Value.Int(long value) -> value;
            case Value.Bool(boolean value) -> value ? 1 : 0;
            default -> throw RefusedException.of("found %s, expected an integer", number.type());
        };
    }
}
