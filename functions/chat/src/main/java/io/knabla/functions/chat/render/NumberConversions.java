package io.knabla.functions.chat.render;

import io.knabla.functions.chat.value.Value;
import java.util.Optional;
import java.util.regex.Pattern;

/** Converts values to numbers as Jinja's filters {@code int} and {@code float} do. */
final class NumberConversions {
    private static final int LONGEST = 400;
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+(_\\d+)*");
    private static final Pattern REAL =
            Pattern.compile("[+-]?(\\d+(_\\d+)*\\.?(\\d+(_\\d+)*)?|\\.\\d+(_\\d+)*)([eE][+-]?\\d+)?");

    private NumberConversions() {}

    static Value whole(Value value, Value otherwise) {
        return switch (value) {
            case Value.Int _, Value.Bool _ -> new Value.Int(Arithmetics.whole(value));
            case Value.Real(double number) -> truncated(Optional.of(number), otherwise);
            case Value.Text(String text) -> ofText(PythonStrings.strip(cut(text), null, true, true), otherwise);
            default -> otherwise;
        };
    }

    private static Value ofText(String text, Value otherwise) {
        if (!WHOLE.matcher(text).matches()) {
            return truncated(number(text), otherwise);
        }
        try {
            return new Value.Int(Long.parseLong(text.replace("_", "")));
        } catch (NumberFormatException large) {
            throw RefusedException.of("an integer has more than 64 bits");
        }
    }

    private static Value truncated(Optional<Double> number, Value otherwise) {
        if (number.isEmpty() || !Double.isFinite(number.get())) {
            return otherwise;
        }
        if (Math.abs(number.get()) >= 0x1p63) {
            throw RefusedException.of("an integer has more than 64 bits");
        }
        return new Value.Int(number.get().longValue());
    }

    static Value real(Value value, Value otherwise) {
        return switch (value) {
            case Value.Int _, Value.Bool _, Value.Real _ -> new Value.Real(Arithmetics.real(value));
            case Value.Text(String text) ->
                number(PythonStrings.strip(cut(text), null, true, true))
                        .<Value>map(Value.Real::new)
                        .orElse(otherwise);
            default -> otherwise;
        };
    }

    private static Optional<Double> number(String text) {
        return REAL.matcher(text).matches() ? Optional.of(Double.parseDouble(text.replace("_", ""))) : Optional.empty();
    }

    /** Long texts take long to be read as numbers, and are none. */
    private static String cut(String text) {
        return text.length() > LONGEST ? "" : text;
    }
}
