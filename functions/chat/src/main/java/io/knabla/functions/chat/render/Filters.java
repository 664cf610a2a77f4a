package io.knabla.functions.chat.render;

import io.knabla.functions.chat.syntax.Filter;
import io.knabla.functions.chat.value.Value;
import java.util.List;
import java.util.Map;

/** Computes Jinja's filters; {@code tojson} writes as the transformers library has it. */
final class Filters {
    private final Budget budget;
    private final Sequences sequences;
    private final Methods methods;
    private final Writing writing;

    Filters(Budget budget, Sequences sequences, Methods methods, Writing writing) {
        this.budget = budget;
        this.sequences = sequences;
        this.methods = methods;
        this.writing = writing;
    }

    Value apply(Filter filter, Value value, CallArguments given) {
        return switch (filter) {
            case ABS -> absolute(value);
            case CAPITALIZE -> new Value.Text(PythonStrings.capitalize(text(value)));
            case DEFAULT -> otherwise(value, given);
            case FIRST -> end(sequences.items(value), true);
            case FLOAT -> NumberConversions.real(value, given.get(0, new Value.Real(0)));
            case INDENT -> indent(value, given);
            case INT -> NumberConversions.whole(value, given.get(0, new Value.Int(0)));
            case ITEMS -> items(value);
            case JOIN -> join(value, given);
            case LAST -> end(sequences.items(value), false);
            case LENGTH -> new Value.Int(sequences.length(value));
            case LIST -> new Value.Items(sequences.items(value));
            case LOWER -> new Value.Text(PythonStrings.lower(text(value)));
            case REPLACE ->
                methods.replace(text(value), given.written(0, ""), given.written(1, ""), given.whole(2, -1));
            case REVERSE -> reverse(value);
            case SAFE, STRING -> new Value.Text(text(value));
            case TOJSON -> json(value, given);
            case TRIM -> new Value.Text(PythonStrings.strip(text(value), given.textOrNone(0), true, true));
            case UPPER -> new Value.Text(PythonStrings.upper(text(value)));
        };
    }

    private String text(Value value) {
        String text = writing.text(value);
        budget.charge(text.length());
        return text;
    }

    private static Value absolute(Value value) {
        if (value instanceof Value.Real(double number)) {
            return new Value.Real(Math.abs(number));
        }
        long number = Arithmetics.whole(value);
        if (number == Long.MIN_VALUE) {
            throw RefusedException.of("an integer has more than 64 bits");
        }
        return new Value.Int(Math.abs(number));
    }

    private static Value otherwise(Value value, CallArguments given) {
        boolean none = value instanceof Value.Undefined || given.isTrue(1) && !value.isTrue();
        return none ? given.get(0, Value.EMPTY) : value;
    }

    private static Value end(List<Value> items, boolean first) {
        if (items.isEmpty()) {
            return new Value.Undefined("the item");
        }
        return first ? items.getFirst() : items.getLast();
    }

    private static Value items(Value value) {
        return switch (value) {
            case Value.Dict(Map<Value, Value> entries) -> Methods.items(entries);
            case Value.Undefined _ -> new Value.Items(List.of());
            default -> throw RefusedException.of("filter items needs a mapping, found %s", value.type());
        };
    }

    private Value reverse(Value value) {
        if (value instanceof Value.Text(String text)) {
            budget.charge(2L * text.length());
            return new Value.Text(new StringBuilder(text).reverse().toString());
        }
        return new Value.Items(sequences.items(value).reversed());
    }

    private Value join(Value all, CallArguments given) {
        String separator = given.written(0, "");
        var joined = new StringBuilder();
        String gap = "";
        for (Value item : sequences.items(all)) {
            String text = text(given.has(1) ? member(item, given.text(1)) : item);
            budget.charge(gap.length());
            joined.append(gap).append(text);
            gap = separator;
        }
        return new Value.Text(joined.toString());
    }

    /** An attribute of an attribute, their names with dots between. */
    Value member(Value item, String path) {
        Value value = item;
        for (String name : path.split("\\.", -1)) {
            boolean index =
                    !name.isEmpty() && name.length() < 10 && name.chars().allMatch(c -> c >= '0' && c <= '9');
            value = sequences.subscript(value, index ? new Value.Int(Integer.parseInt(name)) : new Value.Text(name));
        }
        return value;
    }

    private Value indent(Value value, CallArguments given) {
        if (!(value instanceof Value.Text(String text))) {
            throw RefusedException.of("filter indent needs a string, found %s", value.type());
        }
        Value width = given.get(0, new Value.Int(4));
        String indent = width instanceof Value.Text(String given0) ? given0 : spaces(Arithmetics.whole(width));
        budget.chargeValues(PythonStrings.count(text, PythonStrings::isLineEnd));
        List<String> lines = PythonStrings.lines(text + "\n");
        budget.charge(text.length() + (long) lines.size() * indent.length());
        boolean blank = given.isTrue(2);
        var result = new StringBuilder(given.isTrue(1) ? indent : "").append(lines.getFirst());
        for (String line : lines.subList(1, lines.size())) {
            result.append('\n').append(line.isEmpty() && !blank ? "" : indent).append(line);
        }
        return new Value.Text(result.toString());
    }

    private String spaces(long count) {
        budget.charge(Math.max(0, count));
        return " ".repeat((int) Math.max(0, count));
    }

    private Value json(Value value, CallArguments given) {
        Value indent = given.get(1, Value.NONE);
        String level = switch (indent) {
            case Value.None _ -> null;
            case Value.Text(String text) -> text;
            default -> spaces(Arithmetics.whole(indent));
        };
        String comma = level == null ? ", " : ",";
        String colon = ": ";
        if (given.get(2, Value.NONE) instanceof Value.Items(List<Value> both, var _) && both.size() == 2) {
            comma = writing.text(both.getFirst());
            colon = writing.text(both.getLast());
        }
        var form = new PythonJson.Form(given.isTrue(0), level, comma, colon, given.isTrue(3));
        return new Value.Text(PythonJson.write(value, form, budget));
    }
}
