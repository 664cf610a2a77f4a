package io.knabla.functions.chat.render;

import io.knabla.functions.chat.syntax.Expression;
import io.knabla.functions.chat.syntax.Function;
import io.knabla.functions.chat.syntax.Position;
import io.knabla.functions.chat.syntax.Statement;
import io.knabla.functions.chat.syntax.Statement.Target;
import io.knabla.functions.chat.value.Loop;
import io.knabla.functions.chat.value.Namespace;
import io.knabla.functions.chat.value.Value;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Renders one template once. */
public final class Renderer {
    private final Budget budget = new Budget();
    private final Evaluator evaluator;
    private final Scope global = new Scope(null);
    private final Map<String, Statement.Macro> macros = new HashMap<>();
    private StringBuilder out = new StringBuilder();
    private Position at = new Position(1, 1);
    private int loops;

    private Renderer(Clock clock) {
        evaluator = new Evaluator(budget, new Functions(budget, clock), this::macro);
    }

    private enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }

    /** @throws RefusedException if there is no text; the message says why */
    public static String render(List<Statement> statements, Map<String, Value> variables, Clock clock) {
        var renderer = new Renderer(clock);
        Function.names().forEach(name -> renderer.global.set(name, new Value.Callable(name)));
        variables.forEach(renderer.global::set);
        try {
            renderer.run(statements, renderer.global);
        } catch (Functions.RaisedException raised) {
            throw new RefusedException(raised.getMessage());
        } catch (RefusedException refused) {
            throw new RefusedException(
                    "the chat template cannot be rendered, %s: %s".formatted(renderer.at, refused.getMessage()));
        }
        return renderer.out.toString();
    }

    private Flow run(List<Statement> statements, Scope scope) {
        for (Statement statement : statements) {
            Flow flow = run(statement, scope);
            if (flow != Flow.NEXT) {
                return flow;
            }
        }
        return Flow.NEXT;
    }

    private Flow run(Statement statement, Scope scope) {
        budget.step();
        at = statement.at();
        return switch (statement) {
            case Statement.Data(var _, String text) -> write(text);
            case Statement.Output(var _, Expression value) -> write(evaluator.text(evaluator.value(value, scope)));
            case Statement.If condition -> condition(condition, scope);
            case Statement.For loop -> nested(() -> loop(loop, scope));
            case Statement.Set(var _, List<Target> targets, Expression value) ->
                set(targets, evaluator.value(value, scope), scope);
            case Statement.SetBlock(var _, Target target, List<Statement> body) ->
                set(List.of(target), new Value.Text(captured(body, new Scope(scope))), scope);
            case Statement.Macro macro -> {
                macros.put(macro.name(), macro);
                scope.set(macro.name(), new Value.Callable(macro.name()));
                yield Flow.NEXT;
            }
            case Statement.Scope(var _, List<Statement> body) -> nested(() -> run(body, new Scope(scope)));
            case Statement.Break _ -> Flow.BREAK;
            case Statement.Continue _ -> Flow.CONTINUE;
        };
    }

    private Flow nested(Supplier<Flow> body) {
        budget.enter();
        Flow flow = body.get();
        budget.leave();
        return flow;
    }

    private Flow write(String text) {
        budget.charge(text.length());
        out.append(text);
        return Flow.NEXT;
    }

    private Flow condition(Statement.If condition, Scope scope) {
        for (Statement.If.Branch branch : condition.branches()) {
            if (evaluator.isTrue(branch.condition(), scope)) {
                return nested(() -> run(branch.body(), scope));
            }
        }
        return nested(() -> run(condition.otherwise(), scope));
    }

    private Flow loop(Statement.For loop, Scope scope) {
        List<Value> items = kept(loop, evaluator.items(evaluator.value(loop.items(), scope)), scope);
        if (items.isEmpty()) {
            return run(loop.otherwise(), new Scope(scope));
        }
        var place = new Loop(items, loops++);
        for (int i = 0; i < items.size(); i++) {
            place.go(i);
            Scope body = new Scope(scope);
            assign(loop.targets(), items.get(i), body);
            body.set("loop", place);
            if (run(loop.body(), body) == Flow.BREAK) {
                break;
            }
        }
        loops--;
        return Flow.NEXT;
    }

    private List<Value> kept(Statement.For loop, List<Value> items, Scope scope) {
        if (loop.filter().isEmpty()) {
            return items;
        }
        List<Value> kept = new ArrayList<>();
        for (Value item : items) {
            Scope body = new Scope(scope);
            assign(loop.targets(), item, body);
            if (evaluator.isTrue(loop.filter().get(), body)) {
                kept.add(item);
            }
        }
        return kept;
    }

    private void assign(List<String> names, Value item, Scope scope) {
        if (names.size() == 1) {
            scope.set(names.getFirst(), item);
            return;
        }
        List<Value> parts = parts(item, names.size());
        for (int i = 0; i < names.size(); i++) {
            scope.set(names.get(i), parts.get(i));
        }
    }

    private List<Value> parts(Value value, int count) {
        List<Value> parts = evaluator.items(value);
        if (parts.size() != count) {
            throw RefusedException.of("%d values are assigned to %d variables", parts.size(), count);
        }
        return parts;
    }

    private Flow set(List<Target> targets, Value value, Scope scope) {
        List<Value> parts = targets.size() == 1 ? List.of(value) : parts(value, targets.size());
        for (int i = 0; i < targets.size(); i++) {
            set(targets.get(i), parts.get(i), scope);
        }
        return Flow.NEXT;
    }

    private static void set(Target target, Value value, Scope scope) {
        switch (target) {
            case Target.Variable(String name) -> scope.set(name, value);
            case Target.Member(String owner, String name) -> {
                if (!(scope.get(owner) instanceof Namespace space)) {
                    throw RefusedException.of("'%s' is no namespace, so '%s.%s' cannot be set", owner, owner, name);
                }
                space.set(name, value);
            }
        }
    }

    private String captured(List<Statement> body, Scope scope) {
        StringBuilder around = out;
        out = new StringBuilder();
        nested(() -> run(body, scope));
        String text = out.toString();
        out = around;
        return text;
    }

    private Value macro(String name, List<Value> arguments, Map<String, Value> named) {
        Statement.Macro macro = macros.get(name);
        if (macro == null) {
            throw RefusedException.of("macro '%s' is not defined yet", name);
        }
        Position place = at;
        int around = loops;
        loops = 0;
        var text = new Value.Text(captured(macro.body(), variables(macro, arguments, named)));
        loops = around;
        at = place;
        return text;
    }

    private Scope variables(Statement.Macro macro, List<Value> arguments, Map<String, Value> named) {
        Scope scope = new Scope(global);
        Map<String, Value> left = new HashMap<>(named);
        if (arguments.size() > macro.parameters().size()) {
            throw RefusedException.of(
                    "macro '%s' has %d arguments, not %d",
                    macro.name(), macro.parameters().size(), arguments.size());
        }
        for (int i = 0; i < macro.parameters().size(); i++) {
            Statement.Macro.Parameter parameter = macro.parameters().get(i);
            Value given = i < arguments.size() ? arguments.get(i) : left.remove(parameter.name());
            Value value = given != null
                    ? given
                    : parameter
                            .otherwise()
                            .map(usual -> evaluator.value(usual, scope))
                            .orElse(new Value.Undefined(parameter.name()));
            scope.set(parameter.name(), value);
        }
        if (!left.isEmpty()) {
            throw RefusedException.of(
                    "macro '%s' has no argument '%s'",
                    macro.name(), left.keySet().iterator().next());
        }
        return scope;
    }
}
