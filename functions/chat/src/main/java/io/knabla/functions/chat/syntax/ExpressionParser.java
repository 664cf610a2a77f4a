package io.knabla.functions.chat.syntax;

import io.knabla.functions.chat.syntax.Expression.Arithmetic;
import io.knabla.functions.chat.syntax.Expression.Comparison;
import io.knabla.functions.chat.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads expressions by Jinja's order of operators. */
final class ExpressionParser {
    private static final int DEEPEST = 64;

    /** A chain nests to the left, so it deepens the tree as brackets do. */
    private static final int LONGEST_CHAIN = 150;

    private static final Map<String, Comparison.Operator> COMPARISONS = Map.of(
            "==", Comparison.Operator.EQUAL,
            "!=", Comparison.Operator.UNEQUAL,
            "<", Comparison.Operator.LESS,
            "<=", Comparison.Operator.AT_MOST,
            ">", Comparison.Operator.GREATER,
            ">=", Comparison.Operator.AT_LEAST);

    private static final Map<String, Arithmetic.Operator> SUMS =
            Map.of("+", Arithmetic.Operator.ADD, "-", Arithmetic.Operator.SUBTRACT);

    private static final Map<String, Arithmetic.Operator> PRODUCTS = Map.of(
            "*", Arithmetic.Operator.MULTIPLY,
            "/", Arithmetic.Operator.DIVIDE,
            "//", Arithmetic.Operator.DIVIDE_DOWN,
            "%", Arithmetic.Operator.MODULO);

    private static final Map<String, Arithmetic.Operator> POWERS = Map.of("**", Arithmetic.Operator.POWER);

    private final Cursor in;
    private final OperandParser operands;
    private int depth;
    private int links;

    ExpressionParser(Cursor in, Names names) {
        this.in = in;
        this.operands = new OperandParser(in, this, names);
    }

    /** Reads one expression, or several with commas between, which make a tuple. */
    Expression tuple() {
        Expression first = expression();
        if (!in.isOperator(",")) {
            return first;
        }
        List<Expression> items = new ArrayList<>(List.of(first));
        while (in.skipOperator(",") && startsOperand()) {
            items.add(expression());
        }
        return new Expression.ListOf(items, true);
    }

    private boolean startsOperand() {
        return in.peek().kind() != Kind.END && !in.isOperator(")") && !in.isOperator("=");
    }

    Expression expression() {
        deepen();
        Expression value = withoutCondition();
        while (in.skipName("if")) {
            link();
            Expression condition = withoutCondition();
            Optional<Expression> otherwise = in.skipName("else") ? Optional.of(expression()) : Optional.empty();
            value = new Expression.Conditional(condition, value, otherwise);
        }
        depth--;
        return value;
    }

    /** Reads an expression that is no conditional one. */
    Expression withoutCondition() {
        Expression left = and();
        while (in.skipName("or")) {
            link();
            left = new Expression.Or(left, and());
        }
        return left;
    }

    private Expression and() {
        Expression left = not();
        while (in.skipName("and")) {
            link();
            left = new Expression.And(left, not());
        }
        return left;
    }

    private Expression not() {
        if (!in.skipName("not")) {
            return comparison();
        }
        deepen();
        Expression operand = new Expression.Not(not());
        depth--;
        return operand;
    }

    private Expression comparison() {
        Expression first = sum();
        List<Comparison.Link> links = new ArrayList<>();
        Optional<Comparison.Operator> operator = comparisonOperator();
        while (operator.isPresent()) {
            links.add(new Comparison.Link(operator.get(), sum()));
            operator = comparisonOperator();
        }
        return links.isEmpty() ? first : new Comparison(first, links);
    }

    private Optional<Comparison.Operator> comparisonOperator() {
        if (in.skipName("in")) {
            return Optional.of(Comparison.Operator.IN);
        }
        if (in.isName("not") && in.isSecondName("in")) {
            in.next();
            in.next();
            return Optional.of(Comparison.Operator.NOT_IN);
        }
        return operator(COMPARISONS);
    }

    private <T> Optional<T> operator(Map<String, T> operators) {
        Token token = in.peek();
        T operator = token.kind() == Kind.OPERATOR ? operators.get(token.text()) : null;
        if (operator != null) {
            in.next();
        }
        return Optional.ofNullable(operator);
    }

    private Expression sum() {
        Expression left = concatenation();
        Optional<Arithmetic.Operator> operator = operator(SUMS);
        while (operator.isPresent()) {
            link();
            left = new Arithmetic(operator.get(), left, concatenation());
            operator = operator(SUMS);
        }
        return left;
    }

    private Expression concatenation() {
        Expression first = product();
        if (!in.isOperator("~")) {
            return first;
        }
        List<Expression> all = new ArrayList<>(List.of(first));
        while (in.skipOperator("~")) {
            all.add(product());
        }
        return new Expression.Concatenation(all);
    }

    private Expression product() {
        Expression left = power();
        Optional<Arithmetic.Operator> operator = operator(PRODUCTS);
        while (operator.isPresent()) {
            link();
            left = new Arithmetic(operator.get(), left, power());
            operator = operator(PRODUCTS);
        }
        return left;
    }

    private Expression power() {
        Expression left = signed(true);
        Optional<Arithmetic.Operator> operator = operator(POWERS);
        while (operator.isPresent()) {
            link();
            left = new Arithmetic(operator.get(), left, signed(true));
            operator = operator(POWERS);
        }
        return left;
    }

    /** @param filters whether filters and tests may follow */
    private Expression signed(boolean filters) {
        deepen();
        Expression value = in.skipOperator("-")
                ? new Expression.Negative(signed(false))
                : in.skipOperator("+") ? new Expression.Positive(signed(false)) : operands.primary();
        value = operands.postfix(value);
        depth--;
        return filters ? operands.filters(value) : value;
    }

    private void deepen() {
        if (++depth > DEEPEST) {
            throw new SyntaxException(
                    in.peek().at(),
                    "this expression is nested more than %d deep; set a variable to a part of it",
                    DEEPEST);
        }
    }

    /** Counts what nests without brackets. */
    void link() {
        if (++links > LONGEST_CHAIN) {
            throw new SyntaxException(
                    in.peek().at(),
                    "this tag has more than %d operators, filters and calls; set a variable to a part of it",
                    LONGEST_CHAIN);
        }
    }
}
