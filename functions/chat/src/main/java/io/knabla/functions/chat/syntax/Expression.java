package io.knabla.functions.chat.syntax;

import io.knabla.functions.chat.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An expression of a template. */
public sealed interface Expression {
    record Literal(Value value) implements Expression {}

    record Name(String name) implements Expression {}

    record ListOf(List<Expression> items, boolean tuple) implements Expression {}

    /** @param entries pairs of key and value */
    record DictOf(List<Entry> entries) implements Expression {
        public record Entry(Expression key, Expression value) {}
    }

    record Not(Expression operand) implements Expression {}

    record Negative(Expression operand) implements Expression {}

    record Positive(Expression operand) implements Expression {}

    record And(Expression left, Expression right) implements Expression {}

    record Or(Expression left, Expression right) implements Expression {}

    record Arithmetic(Operator operator, Expression left, Expression right) implements Expression {
        public enum Operator {
            ADD,
            SUBTRACT,
            MULTIPLY,
            DIVIDE,
            DIVIDE_DOWN,
            MODULO,
            POWER
        }
    }

    /** Texts of all operands one after the other. */
    record Concatenation(List<Expression> operands) implements Expression {}

    /** A chain such as {@code a < b < c}. */
    record Comparison(Expression first, List<Link> links) implements Expression {
        public record Link(Operator operator, Expression right) {}

        public enum Operator {
            EQUAL,
            UNEQUAL,
            LESS,
            AT_MOST,
            GREATER,
            AT_LEAST,
            IN,
            NOT_IN
        }
    }

    /** @param otherwise empty for a value that is undefined */
    record Conditional(Expression condition, Expression then, Optional<Expression> otherwise) implements Expression {}

    record Attribute(Expression target, String name) implements Expression {}

    record Subscript(Expression target, Expression index) implements Expression {}

    record Slice(Expression target, Optional<Expression> from, Optional<Expression> to, Optional<Expression> step)
            implements Expression {}

    /** @param arguments in the order of the filter's parameters; empty for those that are not given */
    record Filtered(Expression target, Filter filter, List<Optional<Expression>> arguments) implements Expression {}

    /** The items of a sequence, each replaced by one of its attributes. */
    record MapAttribute(Expression target, String attribute, Optional<Expression> otherwise) implements Expression {}

    /** The items of a sequence, each filtered. */
    record MapFilter(Expression target, Filter filter, List<Optional<Expression>> arguments) implements Expression {}

    /**
     * The items of a sequence that a test holds for.
     *
     * @param attribute that is tested instead of the item itself
     * @param test empty for whether it is true
     * @param keep false to keep the other items
     */
    record Select(
            Expression target,
            Optional<String> attribute,
            Optional<Test> test,
            List<Expression> arguments,
            boolean keep)
            implements Expression {}

    record Tested(Expression target, Test test, List<Expression> arguments) implements Expression {}

    record MethodCall(Expression target, Method method, List<Optional<Expression>> arguments) implements Expression {}

    record FunctionCall(Function function, List<Optional<Expression>> arguments) implements Expression {}

    /** A call with arguments of any names: {@code namespace} and {@code dict}. */
    record MappingCall(boolean namespace, Optional<Expression> base, Map<String, Expression> named)
            implements Expression {}

    record LoopCycle(Expression loop, List<Expression> values) implements Expression {}

    record MacroCall(String macro, List<Expression> arguments, Map<String, Expression> named) implements Expression {}
}
