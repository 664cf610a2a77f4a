package io.knabla.functions.chat.syntax;

import io.knabla.functions.chat.syntax.Expression.DictOf.Entry;
import io.knabla.functions.chat.syntax.Token.Kind;
import io.knabla.functions.chat.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads operands: literals and names, and the attributes, calls, filters and tests that follow them. */
final class OperandParser {
    private final Cursor in;
    private final ExpressionParser expressions;
    private final Names names;
    private final FilterParser filters;

    OperandParser(Cursor in, ExpressionParser expressions, Names names) {
        this.in = in;
        this.expressions = expressions;
        this.names = names;
        this.filters = new FilterParser(in, expressions, this, names);
    }

    Expression primary() {
        Token token = in.next();
        return switch (token.kind()) {
            case NAME -> name(token);
            case STRING -> string(token);
            case INTEGER -> new Expression.Literal(new Value.Int(integer(token)));
            case FLOAT -> new Expression.Literal(new Value.Real(Double.parseDouble(token.text())));
            case OPERATOR -> bracket(token);
            case END -> throw new SyntaxException(token.at(), "found the end of the tag, expected an expression");
        };
    }

    private static long integer(Token token) {
        try {
            return Long.parseLong(token.text());
        } catch (NumberFormatException large) {
            throw new SyntaxException(token.at(), "number %s is too large; the largest is %d", token, Long.MAX_VALUE);
        }
    }

    private Expression string(Token first) {
        var all = new StringBuilder(first.text());
        while (in.peek().kind() == Kind.STRING) {
            all.append(in.next().text());
        }
        return new Expression.Literal(new Value.Text(all.toString()));
    }

    private Expression name(Token token) {
        return switch (token.text()) {
            case "true", "True" -> new Expression.Literal(Value.TRUE);
            case "false", "False" -> new Expression.Literal(Value.FALSE);
            case "none", "None" -> new Expression.Literal(Value.NONE);
            default -> in.isOperator("(") ? function(token) : new Expression.Name(token.text());
        };
    }

    private Expression function(Token name) {
        Arguments given = Arguments.read(name.at(), in, expressions);
        expressions.link();
        String what = "function " + name.text();
        if (name.text().equals("namespace") || name.text().equals("dict")) {
            Signature base = Signature.of(0, "mapping");
            Optional<Expression> mapping = new Arguments(given.at(), given.positional(), Map.of())
                    .arrange(what, base)
                    .getFirst();
            return new Expression.MappingCall(name.text().equals("namespace"), mapping, given.named());
        }
        Optional<Function> function = Function.of(name.text());
        if (function.isPresent()) {
            return new Expression.FunctionCall(
                    function.get(), given.arrange(what, function.get().signature()));
        }
        names.call(name.at(), name.text());
        return new Expression.MacroCall(name.text(), given.positional(), given.named());
    }

    private Expression bracket(Token token) {
        return switch (token.text()) {
            case "(" -> parentheses();
            case "[" -> new Expression.ListOf(items("]"), false);
            case "{" -> dict();
            default -> throw new SyntaxException(token.at(), "found %s, expected an expression", token);
        };
    }

    private Expression parentheses() {
        if (in.skipOperator(")")) {
            return new Expression.ListOf(List.of(), true);
        }
        Expression inside = expressions.tuple();
        in.expectOperator(")");
        return inside;
    }

    private List<Expression> items(String close) {
        List<Expression> items = new ArrayList<>();
        while (!in.skipOperator(close)) {
            if (!items.isEmpty()) {
                in.expectOperator(",");
                if (in.skipOperator(close)) {
                    break;
                }
            }
            items.add(expressions.expression());
        }
        return items;
    }

    private Expression dict() {
        List<Entry> entries = new ArrayList<>();
        while (!in.skipOperator("}")) {
            if (!entries.isEmpty()) {
                in.expectOperator(",");
                if (in.skipOperator("}")) {
                    break;
                }
            }
            Expression key = expressions.expression();
            in.expectOperator(":");
            entries.add(new Entry(key, expressions.expression()));
        }
        return new Expression.DictOf(entries);
    }

    /** Reads the attributes, subscripts and calls that follow a value. */
    Expression postfix(Expression start) {
        Expression value = start;
        while (true) {
            if (in.skipOperator(".")) {
                value = member(value);
            } else if (in.skipOperator("[")) {
                value = subscript(value);
            } else if (in.isOperator("(")) {
                throw new SyntaxException(
                        in.peek().at(), "only functions, macros and methods are called, by their names");
            } else {
                return value;
            }
            expressions.link();
        }
    }

    private Expression member(Expression target) {
        Token name = in.next();
        if (name.kind() == Kind.INTEGER) {
            return new Expression.Subscript(target, new Expression.Literal(new Value.Int(integer(name))));
        }
        if (name.kind() != Kind.NAME) {
            throw new SyntaxException(name.at(), "found %s, expected the name of an attribute", name);
        }
        return in.isOperator("(") ? method(target, name) : new Expression.Attribute(target, name.text());
    }

    private Expression method(Expression target, Token name) {
        Arguments given = Arguments.read(name.at(), in, expressions);
        if (target.equals(new Expression.Name("loop")) && name.text().equals("cycle")) {
            return new Expression.LoopCycle(target, given.positional());
        }
        Optional<Method> method = names.known(Method.of(name.text()), name.at(), "method", name.text(), Method.names());
        return method.<Expression>map(known -> new Expression.MethodCall(
                        target, known, given.arrange("method " + name.text(), known.signature())))
                .orElse(target);
    }

    private Expression subscript(Expression target) {
        Optional<Expression> from = in.isOperator(":") ? Optional.empty() : Optional.of(expressions.tuple());
        if (in.skipOperator("]")) {
            return new Expression.Subscript(target, from.orElseThrow());
        }
        in.expectOperator(":");
        Optional<Expression> to = bound();
        Optional<Expression> step = in.skipOperator(":") ? bound() : Optional.empty();
        in.expectOperator("]");
        return new Expression.Slice(target, from, to, step);
    }

    private Optional<Expression> bound() {
        return in.isOperator(":") || in.isOperator("]") ? Optional.empty() : Optional.of(expressions.expression());
    }

    /** Reads the filters and tests that follow a value. */
    Expression filters(Expression start) {
        Expression value = start;
        while (true) {
            if (in.skipOperator("|")) {
                value = filters.filter(value);
            } else if (in.skipName("is")) {
                value = filters.test(value);
            } else {
                return value;
            }
            expressions.link();
        }
    }
}
