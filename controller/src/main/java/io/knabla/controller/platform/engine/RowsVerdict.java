package io.knabla.controller.platform.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.unit.RowsFinding;

/**
 * Whether the rows of several requests may be joined into one run, as a replica's check found at deploy, and why.
 *
 * @param reason for people; a clause that can follow a colon, empty for {@link RowsFinding#INDEPENDENT}
 */
public record RowsVerdict(RowsFinding finding, String reason) {
    /** Of a check that said nothing of rows. */
    public static final RowsVerdict UNKNOWN =
            new RowsVerdict(RowsFinding.NOT_CHECKED, "the replica program is of another version of Knabla");

    /** Reads the member {@code rows} of the check's event. */
    static RowsVerdict read(JsonNode rows) {
        return RowsFinding.parse(rows.path("finding").asText())
                .map(finding -> new RowsVerdict(finding, rows.path("reason").asText()))
                .orElse(UNKNOWN);
    }
}
