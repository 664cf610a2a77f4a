package io.knabla.functions.chat.render;

import io.knabla.functions.chat.value.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes values as JSON, in the form of Python's {@code json.dumps}. */
final class PythonJson {
    private final Budget budget;
    private final Form form;
    private final StringBuilder out = new StringBuilder();

    private PythonJson(Budget budget, Form form) {
        this.budget = budget;
        this.form = form;
    }

    /**
     * How it is written.
     *
     * @param ascii whether other characters are escaped
     * @param indent of each level; null for one line
     * @param sorted whether keys are
     */
    record Form(boolean ascii, String indent, String comma, String colon, boolean sorted) {}

    static String write(Value value, Form form, Budget budget) {
        var writing = new PythonJson(budget, form);
        writing.value(value, 0);
        return writing.out.toString();
    }

    private void value(Value value, int depth) {
        budget.step();
        if (depth > Writing.DEEPEST) {
            throw RefusedException.of("a value for tojson is nested more than %d deep", Writing.DEEPEST);
        }
        switch (value) {
            case Value.None _ -> out.append("null");
            case Value.Bool(boolean truth) -> out.append(truth);
            case Value.Int(long number) -> out.append(number);
            case Value.Real(double number) -> out.append(real(number));
            case Value.Text(String text) -> quoted(text);
            case Value.Items(List<Value> items, var _) -> items(items, depth + 1);
            case Value.Dict(Map<Value, Value> entries) -> entries(entries, depth + 1);
            default -> throw RefusedException.of("%s cannot be written as JSON", value.type());
        }
    }

    private static String real(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        return Double.isInfinite(number) ? (number > 0 ? "Infinity" : "-Infinity") : Writing.real(number);
    }

    private void items(List<Value> items, int depth) {
        out.append('[');
        boolean first = true;
        for (Value item : items) {
            gap(first, depth);
            value(item, depth);
            first = false;
        }
        close(']', items.isEmpty(), depth - 1);
    }

    private void entries(Map<Value, Value> entries, int depth) {
        out.append('{');
        boolean first = true;
        for (Map.Entry<Value, Value> entry : ordered(entries)) {
            gap(first, depth);
            quoted(key(entry.getKey()));
            out.append(form.colon);
            value(entry.getValue(), depth);
            first = false;
        }
        close('}', entries.isEmpty(), depth - 1);
    }

    private List<Map.Entry<Value, Value>> ordered(Map<Value, Value> entries) {
        Stream<Map.Entry<Value, Value>> all = entries.entrySet().stream();
        return (form.sorted ? all.sorted(Comparator.comparing(entry -> key(entry.getKey()))) : all).toList();
    }

    private static String key(Value key) {
        return switch (key) {
            case Value.Text(String text) -> text;
            case Value.None _ -> "null";
            case Value.Bool(boolean truth) -> String.valueOf(truth);
            case Value.Int(long number) -> String.valueOf(number);
            case Value.Real(double number) -> real(number);
            default -> throw RefusedException.of("%s is no key in JSON", key.type());
        };
    }

    private void gap(boolean first, int depth) {
        out.append(first ? "" : form.comma);
        line(depth);
    }

    private void close(char bracket, boolean empty, int depth) {
        if (!empty) {
            line(depth);
        }
        out.append(bracket);
    }

    private void line(int depth) {
        if (form.indent != null) {
            budget.charge((long) depth * form.indent.length());
            out.append('\n').repeat(form.indent, depth);
        }
    }

    private void quoted(String text) {
        budget.charge(text.length());
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            character(text.charAt(i));
        }
        out.append('"');
    }

    private void character(char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            default -> {
                if (c < 0x20 || form.ascii && c > 0x7e) {
                    out.append("\\u%04x".formatted((int) c));
                } else {
                    out.append(c);
                }
            }
        }
    }
}
