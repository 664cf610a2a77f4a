package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.pattern.BadPatternException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;

/** States that read the strings of a schema. */
final class StringRules {
    /** A larger bound is as good as this one: no text of a model is as long. */
    private static final int LONGEST = 16_384;

    private static final String DATE =
            "[12][0-9]{3}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])" + "|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)";
    private static final String TIME =
            "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])";

    /** Texts of RFC 3339 and RFC 4122; not all of them: there is no 29 February and no leap second. */
    private static final Map<String, String> FORMATS = Map.of(
            "date", "^" + DATE + "$",
            "time", "^" + TIME + "$",
            "date-time", "^" + DATE + "T" + TIME + "$",
            "uuid", "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$");

    private final TextRules texts;

    StringRules(TextRules texts) {
        this.texts = texts;
    }

    int string(Keywords schema) {
        int least = schema.count("minLength").orElse(0);
        OptionalInt most = schema.count("maxLength");
        if (least > LONGEST || most.isPresent() && most.getAsInt() < least) {
            schema.fault("minLength", "it must be at most maxLength and %d", LONGEST);
            return texts.string(0, -1);
        }
        int longest = most.isPresent() ? Math.min(most.getAsInt(), LONGEST) : -1;
        if (schema.has("format")) {
            return format(schema);
        }
        return schema.text("pattern")
                .map(pattern -> expression(schema, pattern, least, longest))
                .orElseGet(() -> texts.string(least, longest));
    }

    private int format(Keywords schema) {
        String format = schema.text("format").orElse("");
        if (schema.has("pattern") || schema.has("minLength") || schema.has("maxLength")) {
            schema.fault("format", "it cannot stand beside pattern, minLength and maxLength; leave it out");
        } else if (!FORMATS.containsKey(format)) {
            schema.fault(
                    "format",
                    "'%s' is not supported; formats are %s",
                    format,
                    String.join(", ", new TreeSet<>(FORMATS.keySet())));
        } else {
            return texts.expression(FORMATS.get(format), 0, -1, true);
        }
        return texts.string(0, -1);
    }

    private int expression(Keywords schema, String pattern, int least, int most) {
        try {
            return texts.expression(pattern, least, most, true);
        } catch (BadPatternException bad) {
            schema.fault("pattern", "it has %s of the expression", bad.getMessage());
            return texts.string(0, -1);
        }
    }
}
