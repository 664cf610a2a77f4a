package io.knabla.runtime.check;

import io.knabla.functions.unit.RowsFinding;

/**
 * Whether the rows of several requests may be joined into one run, and why.
 *
 * @param reason for people: the numbers of a finding against batching, or why nothing could be found; a clause that can
 *     follow a colon. Empty for {@link RowsFinding#INDEPENDENT}
 */
public record RowsCheckResult(RowsFinding finding, String reason) {
    static final RowsCheckResult INDEPENDENT = new RowsCheckResult(RowsFinding.INDEPENDENT, "");

    static RowsCheckResult notChecked(String why) {
        return new RowsCheckResult(RowsFinding.NOT_CHECKED, why);
    }

    static RowsCheckResult inseparable(String output, long found, long rows) {
        return new RowsCheckResult(
                RowsFinding.INSEPARABLE,
                "output '%s' has %,d rows for %,d rows of the inputs, so no answer can be told from the others"
                        .formatted(output, found, rows));
    }

    static RowsCheckResult dependent(RowDifference worst) {
        return new RowsCheckResult(
                RowsFinding.DEPENDENT,
                "for one sample row, output '%s' is %s alone and %s beside rows up to a thousand times larger"
                        .formatted(worst.output(), worst.alone(), worst.together()));
    }
}
