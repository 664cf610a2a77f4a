package io.knabla.functions.chat.render;

import io.knabla.functions.chat.syntax.Expression;
import io.knabla.functions.chat.syntax.Expression.Comparison;
import io.knabla.functions.chat.value.Loop;
import io.knabla.functions.chat.value.Namespace;
import io.knabla.functions.chat.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Computes the values of expressions. */
final class Evaluator {
    private final Budget budget;
    private final Sequences sequences;
    private final Comparisons comparisons;
    private final Arithmetics arithmetics;
    private final Writing writing;
    private final Methods methods;
    private final Filters filters;
    private final Tests tests;
    private final Functions functions;
    private final Macros macros;

    Evaluator(Budget budget, Functions functions, Macros macros) {
        this.budget = budget;
        this.functions = functions;
        this.macros = macros;
        sequences = new Sequences(budget);
        comparisons = new Comparisons(budget);
        arithmetics = new Arithmetics(budget);
        writing = new Writing(budget);
        methods = new Methods(budget, sequences, comparisons);
        filters = new Filters(budget, sequences, methods, writing);
        tests = new Tests(comparisons, arithmetics, writing);
    }

    /** Renders a macro with these arguments. */
    @FunctionalInterface
    interface Macros {
        Value call(String name, List<Value> arguments, Map<String, Value> named);
    }

    String text(Value value) {
        return writing.text(value);
    }

    List<Value> items(Value value) {
        return sequences.items(value);
    }

    Value value(Expression expression, Scope scope) {
        budget.step();
        budget.enter();
        Value value = evaluate(expression, scope);
        budget.leave();
        return value;
    }

    private Value evaluate(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Literal(Value value) -> value;
            case Expression.Name(String name) -> scope.get(name);
            case Expression.ListOf(var items, boolean tuple) -> new Value.Items(values(items, scope), tuple);
            case Expression.DictOf dict -> dict(dict, scope);
            case Expression.Not(var operand) -> Value.of(!isTrue(operand, scope));
            case Expression.Negative(var operand) -> arithmetics.negative(value(operand, scope));
            case Expression.Positive(var operand) ->
                arithmetics.compute(Expression.Arithmetic.Operator.ADD, new Value.Int(0), value(operand, scope));
            case Expression.And(var left, var right) -> {
                Value first = value(left, scope);
                yield first.isTrue() ? value(right, scope) : first;
            }
            case Expression.Or(var left, var right) -> {
                Value first = value(left, scope);
                yield first.isTrue() ? first : value(right, scope);
            }
            case Expression.Arithmetic(var operator, var left, var right) ->
                arithmetics.compute(operator, value(left, scope), value(right, scope));
            case Expression.Concatenation(var operands) -> concatenation(operands, scope);
            case Comparison comparison -> comparison(comparison, scope);
            case Expression.Conditional(var condition, var then, var otherwise) ->
                isTrue(condition, scope) ? value(then, scope) : optional(otherwise, scope);
            case Expression.Attribute(var target, String name) -> attribute(value(target, scope), name);
            case Expression.Subscript(var target, var index) ->
                sequences.subscript(value(target, scope), value(index, scope));
            case Expression.Slice slice -> slice(slice, scope);
            default -> call(expression, scope);
        };
    }

    private Value call(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Filtered(var target, var filter, var arguments) ->
                filters.apply(filter, value(target, scope), given(arguments, scope));
            case Expression.Tested(var target, var test, var arguments) ->
                Value.of(tests.holds(test, value(target, scope), values(arguments, scope)));
            case Expression.MethodCall(var target, var method, var arguments) ->
                methods.call(value(target, scope), method, given(arguments, scope));
            case Expression.FunctionCall(var function, var arguments) ->
                functions.call(function, given(arguments, scope));
            case Expression.MapAttribute map -> mapAttribute(map, scope);
            case Expression.MapFilter map -> mapFilter(map, scope);
            case Expression.Select select -> select(select, scope);
            case Expression.MappingCall call -> mapping(call, scope);
            case Expression.LoopCycle(var target, var values) -> cycle(value(target, scope), values(values, scope));
            case Expression.MacroCall(String macro, var arguments, var named) ->
                macros.call(macro, values(arguments, scope), named(named, scope));
            default -> throw new IllegalStateException("unknown expression " + expression);
        };
    }

    boolean isTrue(Expression condition, Scope scope) {
        return value(condition, scope).isTrue();
    }

    private List<Value> values(List<Expression> expressions, Scope scope) {
        List<Value> values = new ArrayList<>(expressions.size());
        for (Expression expression : expressions) {
            values.add(value(expression, scope));
        }
        return values;
    }

    private Map<String, Value> named(Map<String, Expression> expressions, Scope scope) {
        Map<String, Value> values = new LinkedHashMap<>();
        expressions.forEach((name, expression) -> values.put(name, value(expression, scope)));
        return values;
    }

    private CallArguments given(List<Optional<Expression>> arguments, Scope scope) {
        List<Value> values = new ArrayList<>(arguments.size());
        for (Optional<Expression> argument : arguments) {
            values.add(argument.isPresent() ? value(argument.get(), scope) : null);
        }
        return new CallArguments(values, writing);
    }

    private Value optional(Optional<Expression> expression, Scope scope) {
        return expression.isPresent() ? value(expression.get(), scope) : new Value.Undefined("the value without else");
    }

    private Value dict(Expression.DictOf dict, Scope scope) {
        Map<Value, Value> entries = new LinkedHashMap<>();
        for (var entry : dict.entries()) {
            entries.put(Comparisons.key(value(entry.key(), scope)), value(entry.value(), scope));
        }
        return new Value.Dict(entries);
    }

    private Value concatenation(List<Expression> operands, Scope scope) {
        var joined = new StringBuilder();
        for (Expression operand : operands) {
            String text = writing.text(value(operand, scope));
            budget.charge(text.length());
            joined.append(text);
        }
        return new Value.Text(joined.toString());
    }

    private Value comparison(Comparison comparison, Scope scope) {
        Value left = value(comparison.first(), scope);
        for (Comparison.Link link : comparison.links()) {
            Value right = value(link.right(), scope);
            if (!comparisons.holds(link.operator(), left, right)) {
                return Value.FALSE;
            }
            left = right;
        }
        return Value.TRUE;
    }

    /** Jinja would find Python's method of a mapping before the entry of this name. */
    private Value attribute(Value target, String name) {
        if (target instanceof Value.Dict && (name.equals("items") || name.equals("keys") || name.equals("values"))) {
            throw RefusedException.of(
                    "'.%s' is a method of a mapping; for an entry of this name write ['%s']", name, name);
        }
        return sequences.attribute(target, name);
    }

    private Value slice(Expression.Slice slice, Scope scope) {
        Value target = value(slice.target(), scope);
        CallArguments bounds = given(List.of(slice.from(), slice.to(), slice.step()), scope);
        return sequences.slice(
                target, CallArguments.bound(bounds.get(0)), CallArguments.bound(bounds.get(1)), bounds.whole(2, 1));
    }

    private Value mapAttribute(Expression.MapAttribute map, Scope scope) {
        CallArguments otherwise = given(List.of(map.otherwise()), scope);
        List<Value> mapped = new ArrayList<>();
        for (Value item : itemsOrNone(map.target(), scope)) {
            budget.step();
            Value found = filters.member(item, map.attribute());
            mapped.add(found instanceof Value.Undefined ? otherwise.get(0, found) : found);
        }
        return new Value.Items(mapped);
    }

    /** These filters take whatever is not true for an empty sequence. */
    private List<Value> itemsOrNone(Expression target, Scope scope) {
        Value value = value(target, scope);
        return value.isTrue() ? sequences.items(value) : List.of();
    }

    private Value mapFilter(Expression.MapFilter map, Scope scope) {
        List<Value> mapped = new ArrayList<>();
        List<Value> items = itemsOrNone(map.target(), scope);
        CallArguments arguments = given(map.arguments(), scope);
        for (Value item : items) {
            budget.step();
            mapped.add(filters.apply(map.filter(), item, arguments));
        }
        return new Value.Items(mapped);
    }

    private Value select(Expression.Select select, Scope scope) {
        List<Value> kept = new ArrayList<>();
        List<Value> items = itemsOrNone(select.target(), scope);
        List<Value> others = values(select.arguments(), scope);
        for (Value item : items) {
            budget.step();
            Value tested =
                    select.attribute().map(path -> filters.member(item, path)).orElse(item);
            boolean holds =
                    select.test().map(test -> tests.holds(test, tested, others)).orElseGet(tested::isTrue);
            if (holds == select.keep()) {
                kept.add(item);
            }
        }
        return new Value.Items(kept);
    }

    private Value mapping(Expression.MappingCall call, Scope scope) {
        Map<Value, Value> entries = new LinkedHashMap<>();
        if (call.base().isPresent()) {
            if (!(value(call.base().get(), scope) instanceof Value.Dict(Map<Value, Value> base))) {
                throw RefusedException.of("namespace and dict take a mapping");
            }
            entries.putAll(base);
        }
        named(call.named(), scope).forEach((name, value) -> entries.put(new Value.Text(name), value));
        return call.namespace() ? namespace(entries) : new Value.Dict(entries);
    }

    private Value namespace(Map<Value, Value> entries) {
        var space = new Namespace();
        entries.forEach((name, value) -> space.set(writing.text(name), value));
        return space;
    }

    private static Value cycle(Value target, List<Value> values) {
        if (target instanceof Loop loop && !values.isEmpty()) {
            return loop.cycle(values);
        }
        throw RefusedException.of("loop.cycle needs a loop and values");
    }
}
