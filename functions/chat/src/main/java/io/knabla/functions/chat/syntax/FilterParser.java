package io.knabla.functions.chat.syntax;

import io.knabla.functions.chat.syntax.Token.Kind;
import io.knabla.functions.chat.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads filters after a bar, and tests after {@code is}. */
final class FilterParser {
    private static final List<String> SELECTIONS = List.of("map", "reject", "rejectattr", "select", "selectattr");
    private static final Set<String> OPERATORS = Set.of("and", "else", "or", "if", "not", "in");

    private final Cursor in;
    private final ExpressionParser expressions;
    private final OperandParser operands;
    private final Names names;

    FilterParser(Cursor in, ExpressionParser expressions, OperandParser operands, Names names) {
        this.in = in;
        this.expressions = expressions;
        this.operands = operands;
        this.names = names;
    }

    Expression filter(Expression target) {
        Token name = in.expect(Kind.NAME, "the name of a filter");
        Arguments given = in.isOperator("(") ? Arguments.read(name.at(), in, expressions) : Arguments.none(name.at());
        return switch (name.text()) {
            case "map" -> map(target, given);
            case "select", "reject" -> select(target, name, given, false);
            case "selectattr", "rejectattr" -> select(target, name, given, true);
            default -> plain(target, name, given);
        };
    }

    private Expression plain(Expression target, Token name, Arguments given) {
        return filter(name.at(), name.text())
                .<Expression>map(known -> new Expression.Filtered(
                        target, known, given.arrange("filter " + name.text(), known.signature())))
                .orElse(target);
    }

    private Optional<Filter> filter(Position at, String name) {
        List<String> all = Stream.concat(Filter.names().stream(), SELECTIONS.stream())
                .sorted()
                .toList();
        return names.known(Filter.of(name), at, "filter", name, all);
    }

    private Expression map(Expression target, Arguments given) {
        if (given.named().containsKey("attribute") && given.positional().isEmpty()) {
            List<Optional<Expression>> ordered = given.arrange("filter map", Signature.of(1, "attribute", "default"));
            return new Expression.MapAttribute(target, literal(given, ordered.getFirst(), "map"), ordered.get(1));
        }
        String name = literal(given, given.positional().stream().findFirst(), "map");
        Arguments others = rest(given, 1);
        return filter(given.at(), name)
                .<Expression>map(known ->
                        new Expression.MapFilter(target, known, others.arrange("filter " + name, known.signature())))
                .orElse(target);
    }

    private static Arguments rest(Arguments given, int from) {
        return new Arguments(
                given.at(), given.positional().subList(from, given.positional().size()), given.named());
    }

    private Expression select(Expression target, Token name, Arguments given, boolean byAttribute) {
        Signature none = Signature.of(0);
        new Arguments(given.at(), List.of(), given.named()).arrange("filter " + name.text(), none);
        List<Expression> positional = given.positional();
        Optional<String> attribute = byAttribute
                ? Optional.of(literal(given, positional.stream().findFirst(), name.text()))
                : Optional.empty();
        int from = byAttribute ? 1 : 0;
        boolean keep = name.text().startsWith("select");
        if (positional.size() <= from) {
            return new Expression.Select(target, attribute, Optional.empty(), List.of(), keep);
        }
        String test = literal(given, Optional.of(positional.get(from)), name.text());
        Optional<Test> known = test(given.at(), test);
        List<Expression> others =
                known.map(found -> ordered(found, test, rest(given, from + 1))).orElse(List.of());
        return new Expression.Select(target, attribute, known, others, keep);
    }

    private static String literal(Arguments given, Optional<Expression> argument, String filter) {
        if (argument.isPresent() && argument.get() instanceof Expression.Literal(Value.Text(String text))) {
            return text;
        }
        throw new SyntaxException(
                given.at(), "filter %s needs a string for the name of its attribute, filter or test", filter);
    }

    Expression test(Expression target) {
        boolean negated = in.skipName("not");
        Token name = in.expect(Kind.NAME, "the name of a test");
        Arguments given = testArguments(name.at());
        Expression tested = test(name.at(), name.text())
                .<Expression>map(known -> new Expression.Tested(target, known, ordered(known, name.text(), given)))
                .orElse(target);
        return negated ? new Expression.Not(tested) : tested;
    }

    /** The one argument of a test may stand without brackets. */
    private Arguments testArguments(Position at) {
        if (in.isOperator("(")) {
            return Arguments.read(at, in, expressions);
        }
        Token next = in.peek();
        boolean bare = next.kind() == Kind.NAME
                        && !OPERATORS.contains(next.text())
                        && !next.text().equals("is")
                || next.kind() == Kind.STRING
                || next.kind() == Kind.INTEGER
                || next.kind() == Kind.FLOAT
                || in.isOperator("[")
                || in.isOperator("{");
        return bare ? new Arguments(at, List.of(operands.postfix(operands.primary())), Map.of()) : Arguments.none(at);
    }

    private Optional<Test> test(Position at, String name) {
        return names.known(Test.of(name), at, "test", name, Test.names());
    }

    private static List<Expression> ordered(Test test, String name, Arguments given) {
        return given.arrange("test " + name, test.signature()).stream()
                .map(Optional::orElseThrow)
                .toList();
    }
}
