package io.knabla.functions.chat.render;

import io.knabla.functions.chat.value.Value;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Writes values as Python's {@code str} does. */
final class Writing {
    static final int DEEPEST = 100;

    private final Budget budget;

    Writing(Budget budget) {
        this.budget = budget;
    }

    String text(Value value) {
        if (value instanceof Value.Text(String text)) {
            return text;
        }
        if (value instanceof Value.Undefined) {
            return "";
        }
        var out = new StringBuilder();
        write(out, value, 0);
        return out.toString();
    }

    private void write(StringBuilder out, Value value, int depth) {
        budget.step();
        if (depth > DEEPEST) {
            throw RefusedException.of("a value that is written is nested more than %d deep", DEEPEST);
        }
        switch (value) {
            case Value.None _ -> out.append("None");
            case Value.Undefined _ -> out.append("Undefined");
            case Value.Bool(boolean truth) -> out.append(truth ? "True" : "False");
            case Value.Int(long number) -> out.append(number);
            case Value.Real(double number) -> out.append(real(number));
            case Value.Text(String text) -> quoted(out, text);
            case Value.Items(List<Value> items, boolean tuple) -> list(out, items, tuple, depth);
            case Value.Dict(Map<Value, Value> entries) -> dict(out, entries, depth);
            default -> throw RefusedException.of("%s cannot be written", value.type());
        }
    }

    private void list(StringBuilder out, List<Value> items, boolean tuple, int depth) {
        out.append(tuple ? '(' : '[');
        String gap = "";
        for (Value item : items) {
            out.append(gap);
            write(out, item, depth + 1);
            gap = ", ";
        }
        out.append(tuple && items.size() == 1 ? "," : "").append(tuple ? ')' : ']');
    }

    private void dict(StringBuilder out, Map<Value, Value> entries, int depth) {
        out.append('{');
        String gap = "";
        for (Map.Entry<Value, Value> entry : entries.entrySet()) {
            out.append(gap);
            write(out, entry.getKey(), depth + 1);
            out.append(": ");
            write(out, entry.getValue(), depth + 1);
            gap = ", ";
        }
        out.append('}');
    }

    /** The shortest decimal number that is read as the same, in Python's form. */
    static String real(double number) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf" : "-inf";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0.0" : "0.0";
        }
        BigDecimal shortest = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        int exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent >= -4 && exponent < 16) {
            String plain = shortest.toPlainString();
            return plain.contains(".") ? plain : plain + ".0";
        }
        String digits = shortest.unscaledValue().abs().toString();
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        return (number < 0 ? "-" : "")
                + digits.charAt(0)
                + fraction
                + "e%s%02d".formatted(exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    private void quoted(StringBuilder out, String text) {
        budget.charge(text.length());
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        out.append(quote);
        text.codePoints().forEach(c -> character(out, c, quote));
        out.append(quote);
    }

    private static void character(StringBuilder out, int c, char quote) {
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '\\' -> out.append("\\\\");
            default -> {
                if (c == quote) {
                    out.append('\\').append(quote);
                } else if (isPrintable(c)) {
                    out.appendCodePoint(c);
                } else {
                    out.append(escaped(c));
                }
            }
        }
    }

    private static String escaped(int c) {
        return (c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x").formatted(c);
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }
}
