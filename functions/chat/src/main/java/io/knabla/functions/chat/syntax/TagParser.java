package io.knabla.functions.chat.syntax;

import io.knabla.functions.chat.syntax.Statement.If.Branch;
import io.knabla.functions.chat.syntax.Statement.Macro.Parameter;
import io.knabla.functions.chat.syntax.Statement.Target;
import io.knabla.functions.chat.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Reads one statement from its first tag to its last. */
final class TagParser {
    private static final Set<String> END_IF = Set.of("elif", "else", "endif");
    private static final Set<String> END_FOR = Set.of("else", "endfor");
    /** What is read in place of what cannot be read. */
    private static final Expression NOTHING = new Expression.ListOf(List.of(), true);

    private final TemplateParser template;
    private final Names names;
    private final Position place;

    TagParser(TemplateParser template, Names names, Position place) {
        this.template = template;
        this.names = names;
        this.place = place;
    }

    Statement condition(Cursor first) {
        List<Branch> branches = new ArrayList<>();
        List<Statement> otherwise = List.of();
        Optional<Cursor> tag = Optional.of(first);
        Expression condition = conditionOf(first);
        boolean last = false;
        while (true) {
            List<Statement> body = template.nested(place, END_IF);
            if (last) {
                otherwise = body;
            } else {
                branches.add(new Branch(place, condition, body));
            }
            tag = template.closer(place, "if", last ? Set.of("endif") : END_IF);
            String name = tag.map(in -> in.next().text()).orElse("endif");
            if (name.equals("endif")) {
                return new Statement.If(place, branches, otherwise);
            }
            last = name.equals("else");
            condition = last ? NOTHING : conditionOf(tag.orElseThrow());
        }
    }

    private Expression conditionOf(Cursor in) {
        return reported(() -> {
            Expression condition = new ExpressionParser(in, names).withoutCondition();
            in.expectEnd();
            return condition;
        });
    }

    /** A fault in the head of a statement must not hide its body. */
    private Expression reported(Supplier<Expression> parse) {
        try {
            return parse.get();
        } catch (SyntaxException bad) {
            names.faults.add(bad.fault);
            return NOTHING;
        }
    }

    Statement loop(Cursor in) {
        List<String> targets = new ArrayList<>();
        List<Expression> head = new ArrayList<>();
        Expression items = reported(() -> {
            loopTargets(in, targets);
            var expressions = new ExpressionParser(in, names);
            Expression all = expressions.withoutCondition();
            if (in.skipName("if")) {
                head.add(expressions.expression());
            }
            if (in.isName("recursive")) {
                throw new SyntaxException(in.peek().at(), "recursive loops are not supported; use a macro");
            }
            in.expectEnd();
            return all;
        });
        List<Statement> body = template.loopBody(place, END_FOR);
        List<Statement> otherwise = List.of();
        Optional<Cursor> tag = template.closer(place, "for", END_FOR);
        if (tag.isPresent() && tag.get().next().text().equals("else")) {
            otherwise = template.nested(place, Set.of("endfor"));
            template.closer(place, "for", Set.of("endfor"));
        }
        return new Statement.For(place, targets, items, head.stream().findFirst(), body, otherwise);
    }

    private static void loopTargets(Cursor in, List<String> targets) {
        boolean bracket = in.skipOperator("(");
        do {
            targets.add(in.expect(Kind.NAME, "the name of a variable").text());
        } while (in.skipOperator(","));
        if (bracket) {
            in.expectOperator(")");
        }
        in.expectName("in");
    }

    Optional<Statement> set(Cursor in) {
        List<Target> targets = new ArrayList<>();
        do {
            targets.add(target(in));
        } while (in.skipOperator(","));
        if (in.skipOperator("=")) {
            Expression value = new ExpressionParser(in, names).tuple();
            in.expectEnd();
            return Optional.of(new Statement.Set(place, targets, value));
        }
        if (in.isOperator("|") || targets.size() > 1) {
            throw new SyntaxException(in.peek().at(), "found %s, expected '='", in.peek());
        }
        in.expectEnd();
        List<Statement> body = template.separateBody(place, Set.of("endset"));
        template.closer(place, "set", Set.of("endset"));
        return Optional.of(new Statement.SetBlock(place, targets.getFirst(), body));
    }

    private static Target target(Cursor in) {
        String name = in.expect(Kind.NAME, "the name of a variable").text();
        return in.skipOperator(".")
                ? new Target.Member(
                        name, in.expect(Kind.NAME, "the name of an attribute").text())
                : new Target.Variable(name);
    }

    Statement macro(Cursor in) {
        List<Parameter> parameters = new ArrayList<>();
        List<String> name = new ArrayList<>();
        reported(() -> {
            name.add(in.expect(Kind.NAME, "the name of a macro").text());
            names.define(name.getFirst());
            in.expectOperator("(");
            while (!in.skipOperator(")")) {
                if (!parameters.isEmpty()) {
                    in.expectOperator(",");
                }
                parameters.add(parameter(in));
            }
            in.expectEnd();
            return NOTHING;
        });
        List<Statement> body = template.separateBody(place, Set.of("endmacro"));
        template.closer(place, "macro", Set.of("endmacro"));
        return new Statement.Macro(place, name.isEmpty() ? "" : name.getFirst(), parameters, body);
    }

    private Parameter parameter(Cursor in) {
        String name = in.expect(Kind.NAME, "the name of a parameter").text();
        return new Parameter(
                name,
                in.skipOperator("=") ? Optional.of(new ExpressionParser(in, names).expression()) : Optional.empty());
    }

    Statement generation(Cursor in) {
        in.expectEnd();
        List<Statement> body = template.separateBody(place, Set.of("endgeneration"));
        template.closer(place, "generation", Set.of("endgeneration"));
        return new Statement.Scope(place, body);
    }
}
