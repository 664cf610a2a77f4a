package io.knabla.functions.chat.syntax;

import io.knabla.functions.chat.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Arguments of one call as they are written.
 *
 * @param at where the call is
 */
record Arguments(Position at, List<Expression> positional, Map<String, Expression> named) {
    static final int MOST = 100;

    static Arguments none(Position at) {
        return new Arguments(at, List.of(), Map.of());
    }

    /** Reads the arguments after an opening bracket, and the closing one. */
    static Arguments read(Position at, Cursor in, ExpressionParser expressions) {
        List<Expression> positional = new ArrayList<>();
        Map<String, Expression> named = new LinkedHashMap<>();
        in.expectOperator("(");
        while (!in.skipOperator(")")) {
            if (!positional.isEmpty() || !named.isEmpty()) {
                in.expectOperator(",");
                if (in.skipOperator(")")) {
                    break;
                }
            }
            if (in.isOperator("*") || in.isOperator("**")) {
                throw new SyntaxException(in.peek().at(), "arguments with * are not supported; write them one by one");
            }
            argument(in, expressions, positional, named);
        }
        if (positional.size() + named.size() > MOST) {
            throw new SyntaxException(at, "a call has more than %d arguments", MOST);
        }
        return new Arguments(at, positional, named);
    }

    private static void argument(
            Cursor in, ExpressionParser expressions, List<Expression> positional, Map<String, Expression> named) {
        if (in.peek().kind() == Kind.NAME && in.isSecondOperator("=")) {
            Token name = in.next();
            in.next();
            if (named.put(name.text(), expressions.expression()) != null) {
                throw new SyntaxException(name.at(), "argument %s is given twice", name);
            }
        } else if (named.isEmpty()) {
            positional.add(expressions.expression());
        } else {
            throw new SyntaxException(in.peek().at(), "an argument without a name follows one with a name");
        }
    }

    /** Puts the arguments in the order of the parameters. */
    List<Optional<Expression>> arrange(String what, Signature signature) {
        if (positional.size() > signature.parameters().size()) {
            throw new SyntaxException(at, "%s has %d arguments; it takes %s", what, positional.size(), signature);
        }
        List<Optional<Expression>> ordered = new ArrayList<>();
        positional.forEach(value -> ordered.add(Optional.of(value)));
        for (String parameter : signature
                .parameters()
                .subList(positional.size(), signature.parameters().size())) {
            ordered.add(Optional.ofNullable(named.get(parameter)));
        }
        check(what, signature, ordered);
        return ordered;
    }

    private void check(String what, Signature signature, List<Optional<Expression>> ordered) {
        for (String name : named.keySet()) {
            if (signature.parameters().indexOf(name) < positional.size()) {
                throw new SyntaxException(
                        at, "%s has no further argument %s; it takes %s", what, Faults.quote(name), signature);
            }
        }
        for (int i = 0; i < signature.required(); i++) {
            if (ordered.get(i).isEmpty()) {
                throw new SyntaxException(
                        at,
                        "%s needs its argument %s",
                        what,
                        signature.parameters().get(i));
            }
        }
    }
}
