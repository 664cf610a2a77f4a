package io.knabla.functions.tokenizer.spec;

import io.knabla.functions.tokenizer.pattern.SafeRegex;
import io.knabla.functions.tokenizer.tree.Faults;
import io.knabla.functions.tokenizer.tree.Fields;

/** Reads {@code {"String": …}} and {@code {"Regex": …}}. */
final class PatternReader {
    private PatternReader() {}

    static TextPattern read(Fields owner, String key) {
        Fields fields = owner.object(key);
        TextPattern pattern = fields.has("Regex") ? regex(fields) : new TextPattern.Literal(fields.text("String"));
        fields.nothingElse();
        return pattern;
    }

    private static TextPattern regex(Fields fields) {
        String source = fields.text("Regex");
        try {
            return new TextPattern.Regex(SafeRegex.compile(source));
        } catch (IllegalArgumentException bad) {
            fields.fault("Regex", "%s: %s", Faults.quote(source), bad.getMessage());
            return new TextPattern.Literal("");
        }
    }
}
