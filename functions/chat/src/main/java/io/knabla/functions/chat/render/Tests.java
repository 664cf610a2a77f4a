package io.knabla.functions.chat.render;

import io.knabla.functions.chat.syntax.Expression;
import io.knabla.functions.chat.syntax.Expression.Comparison.Operator;
import io.knabla.functions.chat.syntax.Test;
import io.knabla.functions.chat.value.Loop;
import io.knabla.functions.chat.value.Value;
import java.util.List;

/** Tests after {@code is}. */
final class Tests {
    private static final Value TWO = new Value.Int(2);

    private final Comparisons comparisons;
    private final Arithmetics arithmetics;
    private final Writing writing;

    Tests(Comparisons comparisons, Arithmetics arithmetics, Writing writing) {
        this.comparisons = comparisons;
        this.arithmetics = arithmetics;
        this.writing = writing;
    }

    /** @param others arguments of the test */
    boolean holds(Test test, Value value, List<Value> others) {
        return switch (test) {
            case BOOLEAN -> value instanceof Value.Bool;
            case DEFINED -> !(value instanceof Value.Undefined);
            case UNDEFINED -> value instanceof Value.Undefined;
            case NONE -> value instanceof Value.None;
            case STRING -> value instanceof Value.Text;
            case MAPPING -> value instanceof Value.Dict;
            case NUMBER -> Comparisons.isNumber(value);
            case INTEGER -> value instanceof Value.Int;
            case FLOAT -> value instanceof Value.Real;
            case TRUE -> value.equals(Value.TRUE);
            case FALSE -> value.equals(Value.FALSE);
            case ITERABLE -> hasItems(value) || value instanceof Loop;
            case SEQUENCE -> hasItems(value);
            case ODD -> isRest(value, TWO, 1);
            case EVEN -> isRest(value, TWO, 0);
            case DIVISIBLEBY -> isRest(value, others.getFirst(), 0);
            case LOWER -> PythonStrings.isOfCase(writing.text(value), false);
            case UPPER -> PythonStrings.isOfCase(writing.text(value), true);
            case SAMEAS -> same(value, others.getFirst());
            case EQ -> comparisons.holds(Operator.EQUAL, value, others.getFirst());
            case NE -> comparisons.holds(Operator.UNEQUAL, value, others.getFirst());
            case LT -> comparisons.holds(Operator.LESS, value, others.getFirst());
            case LE -> comparisons.holds(Operator.AT_MOST, value, others.getFirst());
            case GT -> comparisons.holds(Operator.GREATER, value, others.getFirst());
            case GE -> comparisons.holds(Operator.AT_LEAST, value, others.getFirst());
            case IN -> comparisons.holds(Operator.IN, value, others.getFirst());
        };
    }

    private static boolean hasItems(Value value) {
        return value instanceof Value.Text
                || value instanceof Value.Items
                || value instanceof Value.Dict
                || value instanceof Value.Undefined;
    }

    private boolean isRest(Value value, Value divisor, long rest) {
        Value found = arithmetics.compute(Expression.Arithmetic.Operator.MODULO, value, divisor);
        return comparisons.equal(found, new Value.Int(rest));
    }

    private static boolean same(Value value, Value other) {
        boolean single = value instanceof Value.None || value instanceof Value.Bool;
        return single ? value.equals(other) : value == other;
    }
}
